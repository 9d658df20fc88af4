/**
 * The key of an imported flag: its name where that is a valid key, else a readable form of it with its ambiguous parts
 * as hexadecimal code points. The same name always gives the same key. Tested in
 * unleash.test.ts.
 */
export function keyFor(name: string): string {
  const lower = name.toLowerCase()
  const text = [...lower]
    .map((letter, at) => (/[a-z0-9]/.test(letter) || (at > 0 && /[_.-]/.test(letter)) ? letter : coded(letter)))
    .join('')
  return text.slice(0, 100)
}

function coded(letter: string): string {
  return `u${(letter.codePointAt(0) ?? 0).toString(16)}`
}
