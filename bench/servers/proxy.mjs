// The floor: Fastify and undici, a body in and a body out, nothing looked at.
import Fastify from 'fastify'
import { Agent, request } from 'undici'
import { answerUsage } from '../usage.mjs'

const app = Fastify()
const dispatcher = new Agent({ connections: 64 })
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post('/v1/chat/completions', async ({ body }, reply) => {
  const answer = await request(`${process.env.BENCH_UPSTREAM}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    dispatcher,
  })
  reply.code(answer.statusCode).header('content-type', answer.headers['content-type'])
  return reply.send(answer.body)
})
await app.listen({ port: 0, host: '127.0.0.1' })
answerUsage({ port: app.server.address().port })
