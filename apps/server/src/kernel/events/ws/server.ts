import type { IncomingMessage } from 'node:http'
import type { Kernel } from '../../kernel.ts'
import { createMeter } from '../../observe/meter.ts'
import type { EventDefinition } from '../catalogue/catalogue.ts'
import { addressBehindProxies } from './address.ts'
import { openStream, type Stream } from './stream.ts'

/** The stream of an assembled program. */
export function createStream(parts: { readonly kernel: Kernel; readonly events: readonly EventDefinition[] }): Stream {
  const { kernel, events } = parts
  const { publicUrl, vendor, allowedOrigins, trustedProxies } = kernel.config
  return openStream({
    ...kernel,
    publicUrl,
    vendor,
    allowedOrigins,
    events,
    limiter: kernel.limits,
    limits: {},
    meter: createMeter(kernel.metrics),
    clientIp: (request: IncomingMessage) =>
      addressBehindProxies(
        { peer: request.socket.remoteAddress ?? '', forwardedFor: request.headers['x-forwarded-for'] },
        trustedProxies,
      ),
  })
}
