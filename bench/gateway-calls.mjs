import { chatBody } from './chat-body.mjs'
import { startChild } from './child.mjs'
import { load } from './load.mjs'

/** The gateway on its embedded database in front of the mock model, for asking it so many times over eight connections. */
export async function startGatewayCalls(options = {}) {
  const upstream = await startChild('bench/servers/upstream.mjs')
  const child = await startChild('bench/servers/gateway.ts', {
    env: { BENCH_UPSTREAM: `http://127.0.0.1:${upstream.port}/v1` },
    ...options,
  })
  return {
    child,
    ask: (total) =>
      load({
        port: child.port,
        path: '/api/v1/gateway/openai/v1/chat/completions',
        headers: { authorization: `Bearer ${child.token}` },
        body: () => chatBody('mock-1'),
        connections: 8,
        total,
      }),
    stop: async () => {
      await child.stop()
      await upstream.stop()
    },
  }
}
