import { expect, test } from 'vitest'
import { TestClient } from './client.ts'
import { secretShapes } from './secret-shapes.ts'
import { openWorld } from './world.ts'

test.each([
  ['{"password":"$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$dGFn"}', 'the answer holds a password hash'],
  ['{"note":"$pbkdf2-sha256$i=27500$c2FsdA$dGFn"}', 'the answer holds a password hash'],
  ['{"key":"-----BEGIN RSA PRIVATE KEY-----"}', 'the answer holds a private key'],
  [`{"jwk":{"kty":"OKP","d":"${'x'.repeat(43)}"}}`, 'the answer holds a private key'],
  ['{"row":{"secret_hash":"abc"}}', 'the answer holds a column of ours'],
])('C16 an answer like %s is told from others', (text, words) => {
  expect(secretShapes(text)).toEqual([words])
})

test('C16 the suites look at every answer, and an ordinary one passes', async () => {
  expect(secretShapes('{"data":{"password_changed_at":null,"secret_hash":null}}')).toEqual([])
  const world = await openWorld({ own: true })
  try {
    const leaking = new TestClient(world.program.app, () => [], world.operator.token)
    const name = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$dGFn'
    await expect(leaking.patch('/auth/me', { display_name: name })).rejects.toThrow('the answer holds a password hash')
  } finally {
    await world.close()
  }
})
