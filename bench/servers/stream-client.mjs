// Many streams to one place, in a process of their own so that reading them takes no time from those who measure.
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { answerUsage } from '../usage.mjs'

/** Resolves when the stream has come to its end whole. */
function stream({ port, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, host: '127.0.0.1', method: 'POST', agent: false, headers }, (answer) => {
      let last = ''
      answer.setEncoding('utf8')
      answer.on('data', (part) => {
        last = (last + part).slice(-300)
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const isWhole = answer.statusCode === 200 && last.includes('event: done')
        return isWhole ? resolve() : reject(new Error(`${answer.statusCode} ${last}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

let all = Promise.resolve()
process.on('message', async (message) => {
  if (message.type === 'start') {
    const running = []
    for (const [at, body] of message.bodies.entries()) {
      running.push(stream({ ...message, body }))
      // A thousand at once would be a test of connecting.
      if (at % 50 === 49) await pause(100)
    }
    all = Promise.all(running)
    // An early failure ends the measurement.
    all.catch((error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exit(1)
    })
    process.send({ type: 'start' })
  }
  if (message.type === 'end') {
    await all
    process.send({ type: 'end' })
  }
})
answerUsage({})
