// The least that keeps a durable record: the bare proxy, which reads question and answer, adds one row to one table in a
// commit that all waiting calls share, and answers after it. No step of the gateway, no policy, no person, no chain.
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { Agent, request } from 'undici'
import { answerUsage } from '../usage.mjs'

const client = new pg.Client({ connectionString: process.env.BENCH_DATABASE_URL })
await client.connect()
await client.query('create table record (id uuid primary key, at timestamptz not null, told jsonb not null)')

let waiting = []
let isBusy = false

/** Resolves once the row is durable. */
function keep(row) {
  return new Promise((resolve, reject) => {
    waiting.push({ row, resolve, reject })
    if (!isBusy) void commit()
  })
}

async function commit() {
  isBusy = true
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    try {
      await client.query({
        name: 'keep',
        text: 'insert into record select * from jsonb_to_recordset($1::jsonb) as row (id uuid, at timestamptz, told jsonb)',
        values: [JSON.stringify(batch.map(({ row }) => row))],
      })
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  isBusy = false
}

const app = Fastify()
const dispatcher = new Agent({ connections: 64 })
app.post('/v1/chat/completions', async ({ body }, reply) => {
  const answer = await request(`${process.env.BENCH_UPSTREAM}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    dispatcher,
  })
  const told = await answer.body.json()
  await keep({ id: randomUUID(), at: new Date(), told: { question: body, answer: told } })
  return reply.code(answer.statusCode).send(told)
})
await app.listen({ port: 0, host: '127.0.0.1' })
answerUsage({ port: app.server.address().port })
