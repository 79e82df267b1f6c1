/** Every measurement, one after the other. */
await import('./start-up.ts');
await import('./executable.ts');
await import('./export.ts');
await import('./emulator.ts');
await import('./described-emulator.ts');
await import('./logs.ts');
await import('./described.ts');
