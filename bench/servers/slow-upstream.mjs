// A model that answers streams with a chunk about every second until it is told to finish, and everything else at once.
import { createServer } from 'node:http'
import { answerUsage } from '../usage.mjs'

/** Each pause is another one: timers of one length would fire together, which no thousand models do. */
const pauseMs = () => 800 + Math.random() * 400
const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'a few more words ' } }] })}\n\n`
const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
const whole = JSON.stringify({
  ...{ id: 'x', object: 'chat.completion', created: 1_760_000_000, model: 'mock-1' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'A short answer.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 },
})
let open = 0
let over = false

function stream(response) {
  open += 1
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunk)
  let clock
  const next = () => {
    if (over) return response.end(end)
    response.write(chunk)
    clock = setTimeout(next, pauseMs())
  }
  clock = setTimeout(next, pauseMs())
  response.on('close', () => {
    clearTimeout(clock)
    open -= 1
  })
}

const server = createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    if (request.url.includes('/models')) return response.end('{"data":[{"id":"mock-1"}]}')
    if (JSON.parse(Buffer.concat(parts).toString()).stream === true) return stream(response)
    return response.writeHead(200, { 'content-type': 'application/json' }).end(whole)
  })
})
process.on('message', ({ type }) => {
  if (type === 'finish') over = true
  if (type === 'finish' || type === 'open') process.send({ type, open })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => answerUsage({ port: server.address().port }))
