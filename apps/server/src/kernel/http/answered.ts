/**
 * Records of a finished request: its route's numbers, its line in the access log and its span. Once
 * for each request, also for one whose client did not wait for the answer. Tested in test/kernel/gone-clients.test.ts.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kernel } from '../kernel.ts'
import type { AccessLog } from '../observe/access-log.ts'
import { serverSpan } from '../observe/otel/http-span.ts'

export interface Observe {
  answered(request: FastifyRequest, reply: FastifyReply): void
  /** Its client went away before all of the answer was sent. */
  abandoned(request: FastifyRequest): void
}

/** No client got an answer, so none of its statuses is true. The number is the one nginx has given this case. */
const clientGone = 499

export function answerObserver(kernel: Kernel, accessLog: AccessLog | null): Observe {
  const unmatched = kernel.metrics.route('ANY', 'none')
  const observe = (request: FastifyRequest, status: number): void => {
    const { call } = request
    if (call.isObserved) return
    call.isObserved = true
    const milliseconds = kernel.clock.monotonic() - call.startedMs
    const { meter, pattern: route = 'none' } = request.routeOptions.config
    const facts = {
      requestId: call.id,
      method: request.method,
      route,
      ...{ status, milliseconds },
      tenantId: call.actor?.tenantId ?? null,
      actorId: call.actor?.userId ?? null,
      errorCode: call.errorCode,
    }
    ;(meter ?? unmatched).observe(status, milliseconds)
    accessLog?.write(facts)
    if (kernel.telemetry === null) return
    const { traceparent, parentSpanId, timestamp: startedAt } = call
    const span = serverSpan({
      ...{ ...facts, traceparent, parentSpanId, startedAt },
      scheme: request.protocol,
    })
    if (span !== null) kernel.telemetry.record(span)
  }
  return {
    answered: (request, reply) => observe(request, reply.statusCode),
    abandoned: (request) => observe(request, clientGone),
  }
}
