/**
 * What no answer may hold, whoever asks: hashes of passwords and keys, private keys, and columns that are ours alone. The
 * suites' client looks at every answer it gets, those of the gateway too: no suite writes what looks like this into a call.
 * Tested in secret-shapes.test.ts.
 */
const shapes: Readonly<Record<string, RegExp>> = {
  'a password hash': /\$argon2(?:id|i|d)\$v=|imported:\$|\$(?:pbkdf2|scrypt)[a-z0-9-]*\$\w+=\d/,
  'a private key': /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----|"d":"[\w-]{43}"/,
  'a column of ours':
    /"(?:password_hash|secret_hash|token_sha256|refresh_jti|previous_jti|request_digest|code_digest)":"(?!digest:)/,
}

/** What an answer holds that it must not, in words. */
export function secretShapes(text: string): readonly string[] {
  return Object.entries(shapes)
    .filter(([, shape]) => shape.test(text))
    .map(([what]) => `the answer holds ${what}`)
}
