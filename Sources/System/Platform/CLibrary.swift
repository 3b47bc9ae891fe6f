// The C library has a different module name on each platform. Only this file uses these names: all other code imports
// `Platform`.

#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Android)
  @_exported import Android
#elseif canImport(Darwin)
  @_exported import Darwin
#else
  #error("Platform: name this platform's C library here")
#endif
