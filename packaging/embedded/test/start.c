// The beginning of a program for an Arm MPS2 board (AN386, Cortex-M4), as QEMU emulates it.
extern void _start(void);

__attribute__((naked)) static void reset(void) {
  // The floating-point unit is off after a reset.
  __asm volatile("ldr r0, =0xE000ED88\n ldr r1, [r0]\n orr r1, #(0xF << 20)\n str r1, [r0]\n dsb\n isb\n b _start\n");
}

// The stack pointer and the first instruction.
__attribute__((section(".vectors"), used)) static void *const vectors[16] = {(void *)0x20400000, (void *)reset};
