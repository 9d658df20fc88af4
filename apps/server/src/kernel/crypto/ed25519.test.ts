import { expect, test } from 'vitest'
import { checkSignature, makeKeyPair, privateKeyOf, publicKeyOf, signBytes, thumbprint } from './ed25519.ts'

// RFC 8037, appendix A: the key of A.1 and A.2, its thumbprint of A.3, the signature of A.4.
const rfc = {
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  thumbprint: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  signed: Buffer.from('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc'),
  signature: 'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
}
// RFC 8410 section 7: prefix of the 32 bytes of an Ed25519 private key in PKCS #8.
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

test('the vectors of RFC 8037 come out byte for byte', () => {
  const privateKey = privateKeyOf(Buffer.concat([pkcs8Head, Buffer.from(rfc.d, 'base64url')]))
  expect(thumbprint(rfc.x)).toBe(rfc.thumbprint)
  expect(Buffer.from(signBytes(privateKey, rfc.signed)).toString('base64url')).toBe(rfc.signature)
  expect(checkSignature(publicKeyOf(rfc.x), rfc.signed, Buffer.from(rfc.signature, 'base64url'))).toBe(true)
})

test('a signature is bound to its key, its bytes and its length', () => {
  const [mine, other] = [makeKeyPair(), makeKeyPair()]
  const bytes = Buffer.from('bytes')
  const signature = signBytes(privateKeyOf(mine.privateKey), bytes)
  expect(checkSignature(publicKeyOf(mine.x), bytes, signature)).toBe(true)
  expect(checkSignature(publicKeyOf(other.x), bytes, signature)).toBe(false)
  expect(checkSignature(publicKeyOf(mine.x), Buffer.from('Bytes'), signature)).toBe(false)
  for (const length of [0, 63]) {
    expect(checkSignature(publicKeyOf(mine.x), bytes, signature.subarray(0, length))).toBe(false)
  }
  expect(checkSignature(publicKeyOf(mine.x), bytes, Buffer.concat([signature, Buffer.alloc(1)]))).toBe(false)
})
