/**
 * Takes the accessor `__proto__` away from all objects of this thread, so that no member of that name, from wherever it
 * comes, reaches a prototype. Same effect as `node --disable-proto=delete`, however the program was started.
 * Tested in harden.test.ts, and in every other test, which runs without the accessor as the server does.
 */
export function removeProtoAccessor(): void {
  Reflect.deleteProperty(Object.prototype, '__proto__')
}
