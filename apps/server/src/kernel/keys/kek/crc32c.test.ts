import { expect, test } from 'vitest'
import { crc32c } from './crc32c.ts'

// RFC 3720, appendix B.4, and the check value of CRC-32/ISCSI in the catalogue of parametrised CRC algorithms.
test.each([
  ['32 zeros', new Uint8Array(32), 0x8a9136aa],
  ['32 ones', new Uint8Array(32).fill(0xff), 0x62a8ab43],
  ['counting up', Uint8Array.from({ length: 32 }, (_, index) => index), 0x46dd794e],
  ['counting down', Uint8Array.from({ length: 32 }, (_, index) => 31 - index), 0x113fdb5c],
  ['123456789', Buffer.from('123456789'), 0xe3069283],
  ['nothing', new Uint8Array(), 0],
])('the checksum of %s is as published', (_, bytes, sum) => {
  expect(crc32c(bytes)).toBe(sum)
})
