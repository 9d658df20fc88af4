// A model that costs nothing: OpenAI's chat form, whole or as a stream of 40 chunks, one every 5 ms.
import { createServer } from 'node:http'
import { answerUsage } from '../usage.mjs'

const text = 'The quarterly report is ready. Revenue grew in every region, and the new plan starts in spring. '.repeat(
  4,
)
const whole = JSON.stringify({
  id: 'chatcmpl-mock',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'mock-1',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 120, completion_tokens: 90, total_tokens: 210 },
})
const words = text.match(/\S+\s*/g).slice(0, 40)
const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-mock', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'mock-1', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

function stream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let at = 0
  const clock = setInterval(() => {
    if (at < words.length) {
      response.write(chunk(at === 0 ? { role: 'assistant', content: words[0] } : { content: words[at] }))
      at += 1
      return
    }
    clearInterval(clock)
    response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  }, 5)
  response.on('close', () => clearInterval(clock))
}

const server = createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    if (request.url.includes('/models')) {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ object: 'list', data: [{ id: 'mock-1', object: 'model' }] }))
    }
    if (JSON.parse(Buffer.concat(parts).toString()).stream === true) return stream(response)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) })
    response.end(whole)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => answerUsage({ port: server.address().port }))
