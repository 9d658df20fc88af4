import { describe, expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'

const strong = ['vT9q', 'Zr2L', 'x8Wd', 'K4'].join('')
const found = (text: string): string[] => findSecrets(text).map(({ start, end }) => text.slice(start, end))

describe('an address with a password is found whole', () => {
  test.each([
    `postgres://ann:${strong}@db.internal:5432/shop?sslmode=require`,
    `mongodb+srv://ann:${strong}@cluster0.host.test/x`,
    `redis://:${strong}@cache:6379/0`,
    `amqp://ann:a%s*ui7z$i5&k@mq.internal:5672/`,
    `mysql://ann:q7/Wx0rd9x#@db/x`,
    `https://ann:${strong}@git.internal/repo.git`,
    `sftp://ann:${strong}@files.internal`,
  ])('%#', (address) => {
    for (const [before, after] of [
      ['', ''],
      ['DATABASE_URL=', '\n'],
      ['url: "', '"'],
      ['see ', ', please'],
      ['(', ')'],
    ]) {
      expect(found(`${before}${address}${after}`)).toEqual([address])
    }
  })
})

test.each([
  'postgres://user:password@localhost:5432/mydb',
  'postgres://$DB_USER:$DB_PASS@db/app',
  'mongodb://<user>:<password>@host/db',
  'mysql://root@127.0.0.1/test',
  'redis://localhost:6379/0',
  'postgres://postgres:postgres@db/app',
  'amqp://guest:guest@localhost/',
  'https://host.test:8080/@handle',
  'https://host.test/a:b@c',
  'http://[::1]:3000/x@y',
  `https://user:${'*'.repeat(8)}@host.test`,
])('%s is an address without a secret', (address) => {
  expect(found(`see ${address} there`)).toEqual([])
})
