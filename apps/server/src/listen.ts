import type { AddressInfo } from 'node:net'
import type { Config } from './kernel/config/load.ts'
import { dutiesOf } from './kernel/config/roles.ts'
import { createStream } from './kernel/events/ws/server.ts'
import { modules } from './modules.ts'
import type { Program } from './program.ts'

export interface Listening {
  readonly address: string
  /** Drains: no new connections, sockets are told to come back elsewhere, running calls finish, then everything closes. */
  stop(): Promise<void>
}

/**
 * Connections the system may take before this process does; it allows less where `somaxconn` is lower. With Node's own
 * 511 a thousand clients that come at once are partly dropped and try again after a second (seen in `bench/streams.mjs`).
 */
const backlog = 4_096

function streamOf({ app, assembled: { kernel } }: Program): ReturnType<typeof createStream> {
  const stream = createStream({ kernel, events: modules.flatMap((module) => module.emits) })
  stream.attach(app.server)
  return stream
}

/** Opens the port for HTTP, and for `/ws` where the process serves the API. @throws Error when it is taken */
export async function listen(program: Program, config: Pick<Config, 'host' | 'port' | 'role'>): Promise<Listening> {
  const { app, assembled } = program
  const stream = dutiesOf(config.role).servesApi ? streamOf(program) : null
  try {
    await app.listen({ host: config.host, port: config.port, backlog })
  } catch (error) {
    await stream?.close()
    throw error
  }
  const { port } = app.server.address() as AddressInfo
  return {
    address: `http://${config.host}:${port}`,
    stop: async () => {
      // No call begins while sockets say goodbye.
      assembled.kernel.stopping.begin()
      await stream?.close()
      await program.stop()
    },
  }
}
