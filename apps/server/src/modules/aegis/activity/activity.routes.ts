import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf, StreamAnswer } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import { writeTraceResponse } from './otlp/wire.ts'
import { protobufType } from './read-batch.ts'
import { type ActivityParts, receive } from './receive.ts'
import { ActivityAnswer, ActivityBody, mostBytes } from './schema.ts'

const route = routesOf<{ readonly activity: ActivityParts }>()

export const activityRoutes = [
  route.post('/activity', {
    permission: 'agent',
    summary: 'Report activity of an agent',
    description:
      'OTLP/HTTP traces in JSON or protobuf, or native `events`, packed with gzip or not; at most 5,000 items and 8 MiB unpacked. An exporter of OpenTelemetry sends here with the agent’s key in `Authorization`. Spans are read by the semantic conventions for generative AI of the version that their `schema_url` names. An `event_id` counts once for as long as the event is kept; events older than 7 days or more than 5 minutes ahead are rejected. A request in protobuf is answered in protobuf, without the envelope.',
    upload: { as: 'memory', mediaTypes: ['application/json', protobufType], maxBytes: mostBytes, json: ActivityBody },
    returns: [200, ActivityAnswer],
    files: [protobufType],
    audit: 'aegis.activity.create',
    timeLimitMs: 60_000,
    errors: [apiErrors.validation, errors.agentNotActive, errors.killed, errors.unreadable],
    handler: async ({ tx, services, actor, received }) => {
      const answer = await receive(services.activity, tx, { actor, received })
      if (received.mediaType !== protobufType) return answer
      const { rejectedSpans, errorMessage } = answer.partialSuccess ?? { rejectedSpans: 0, errorMessage: '' }
      return new StreamAnswer(protobufType, onePiece(writeTraceResponse(rejectedSpans, errorMessage)))
    },
  }),
]

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes
}
