// A keep-alive load client on raw sockets: one request in flight per connection, bounded in count, loopback only.
import { connect } from 'node:net'

/**
 * Sends `total` requests over `connections` sockets and resolves with latencies in milliseconds: GET, or POST with a
 * `body`, which may be a function that makes one for each. With `rate`, so many a second are offered, whatever the server
 * could take: two servers are then compared at the same work. Without it the client sends as fast as answers come, and a
 * server that outruns the client saves itself waking it up.
 * @throws Error on any status but 200, because a fast error is no result.
 */
export async function load({ port, path, headers = {}, body = null, connections, total, rate = null }) {
  const bytesOf = (text) => {
    const own = text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const lines = Object.entries({ ...headers, ...own }).map(([name, value]) => `${name}: ${value}\r\n`)
    const method = text === null ? 'GET' : 'POST'
    return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n${text ?? ''}`)
  }
  const same = typeof body === 'function' ? null : bytesOf(body)
  const latencies = []
  let left = total
  const began = performance.now()
  const idle = []
  let offered = 0
  const clock =
    rate === null
      ? null
      : setInterval(() => {
          const due = Math.min(total, ((performance.now() - began) / 1000) * rate)
          while (offered < due && idle.length > 0) {
            offered += 1
            idle.shift()()
          }
        }, 1)
  await Promise.all(Array.from({ length: connections }, () => worker()))
  if (clock !== null) clearInterval(clock)
  return { seconds: (performance.now() - began) / 1000, latencies: latencies.sort((a, b) => a - b) }

  function worker() {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      let sent = 0
      let buffered = Buffer.alloc(0)
      const next = () => {
        if (left <= 0) return socket.end()
        left -= 1
        // A server may close a connection after a thousand requests; open a new one before it does.
        if (sent >= 900) {
          left += 1
          socket.end()
          return
        }
        sent += 1
        if (clock === null) send()
        else idle.push(send)
      }
      const send = () => {
        sentAt = performance.now()
        socket.write(same ?? bytesOf(body()))
      }
      socket.on('connect', next)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
        const head = buffered.indexOf('\r\n\r\n')
        if (head === -1) return
        const text = buffered.toString('latin1', 0, head)
        const end = endOf(buffered, head + 4, text)
        if (buffered.length < end) return
        if (!text.startsWith('HTTP/1.1 200'))
          return reject(new Error(`${text.split('\r\n')[0]} ${buffered.toString('utf8', head)}`))
        buffered = buffered.subarray(end)
        latencies.push(performance.now() - sentAt)
        next()
      })
      socket.on('close', () => (left > 0 ? worker().then(resolve, reject) : resolve()))
    })
  }
}

/** Where an answer ends whose head ends at `from`; beyond the buffer while it is not known. */
function endOf(buffered, from, head) {
  if (!/transfer-encoding: chunked/i.test(head)) return from + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  // Trailers may stand between the last chunk and the end.
  const last = /\r\n0\r\n(?:[^\r\n]+\r\n)*\r\n$/.exec(buffered.toString('latin1', from - 2))
  return last === null ? Number.POSITIVE_INFINITY : buffered.length
}

export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
