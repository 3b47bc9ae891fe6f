// The C library has another module name on each platform. This is the one place that knows which: everything above says
// `import Platform`.

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
