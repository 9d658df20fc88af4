// Spans of an agent sent as OTLP batches of 1,000, in JSON and in protobuf, to the whole program on its own database: how
// many a second are stored and acknowledged, beside how long `JSON.parse` alone takes for the same bytes.
import { randomBytes } from 'node:crypto'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { startChild } from './child.mjs'
import { report } from './report.mjs'

const spansOfBatch = 1_000
const batches = Number(process.env.BENCH_ACTIVITY_BATCHES ?? 40)
const atOnce = 2

/** Steps of a session: a model call, then tools. */
function batch() {
  const at = BigInt(Date.now()) * 1_000_000n
  const traces = Array.from({ length: spansOfBatch / 10 }, () => randomBytes(16).toString('hex'))
  return Array.from({ length: spansOfBatch }, (_, n) => ({
    traceId: traces[Math.floor(n / 10)],
    spanId: randomBytes(8).toString('hex'),
    name: 'step',
    kind: 1,
    startTimeUnixNano: String(at + BigInt(n) * 1_000n),
    endTimeUnixNano: String(at + BigInt(n) * 1_000n + 250_000_000n),
    attributes: Object.entries(
      n % 3 === 0
        ? {
            'gen_ai.operation.name': 'chat',
            'gen_ai.provider.name': 'openai',
            'gen_ai.request.model': 'gpt-4.1',
            'gen_ai.usage.input_tokens': 900,
            'gen_ai.usage.output_tokens': 120,
            'gen_ai.conversation.id': `talk-${traces[Math.floor(n / 10)]}`,
          }
        : {
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': `tool-${n % 7}`,
            'gen_ai.tool.call.id': `c${n}`,
          },
    ).map(([key, value]) => ({
      key,
      value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
    })),
  }))
}

const asJson = (spans) => Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))

function asProtobuf(spans) {
  const writer = new BinaryWriter()
  const message = (field, write) => {
    writer.tag(field, WireType.LengthDelimited).fork()
    write()
    writer.join()
  }
  const text = (field, value) => writer.tag(field, WireType.LengthDelimited).string(value)
  const bytes = (field, hex) => writer.tag(field, WireType.LengthDelimited).bytes(Buffer.from(hex, 'hex'))
  message(1, () =>
    message(2, () => {
      for (const span of spans)
        message(2, () => {
          bytes(1, span.traceId)
          bytes(2, span.spanId)
          text(5, span.name)
          writer.tag(6, WireType.Varint).int32(span.kind)
          writer.tag(7, WireType.Bit64).fixed64(span.startTimeUnixNano)
          writer.tag(8, WireType.Bit64).fixed64(span.endTimeUnixNano)
          for (const { key, value } of span.attributes)
            message(9, () => {
              text(1, key)
              message(2, () => {
                if (value.stringValue === undefined) writer.tag(3, WireType.Varint).int64(value.intValue)
                else text(1, value.stringValue)
              })
            })
        })
    }),
  )
  return writer.finish()
}

const child = await startChild('bench/servers/activity.ts')

async function send(type, body) {
  const answer = await fetch(`http://127.0.0.1:${child.port}/api/v1/aegis/activity`, {
    method: 'POST',
    headers: { authorization: `Bearer ${child.token}`, 'content-type': type },
    body,
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer.arrayBuffer()
}

async function spansPerSecond(type, encode) {
  const bodies = Array.from({ length: batches }, () => encode(batch()))
  const waiting = [...bodies]
  const begun = performance.now()
  const worker = async () => {
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) await send(type, body)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return Math.round((batches * spansOfBatch) / ((performance.now() - begun) / 1_000))
}

for (let n = 0; n < 4; n += 1) await send('application/json', asJson(batch()))
const bodies = Array.from({ length: batches }, () => asJson(batch()))
const begun = performance.now()
for (const body of bodies) JSON.parse(body.toString('utf8'))
const parsed = Math.round((batches * spansOfBatch) / ((performance.now() - begun) / 1_000))
const json = await spansPerSecond('application/json', asJson)
const protobuf = await spansPerSecond('application/x-protobuf', asProtobuf)
await child.stop()
report('activity', {
  spans: batches * spansOfBatch,
  spans_of_batch: spansOfBatch,
  json_spans_per_second: json,
  protobuf_spans_per_second: protobuf,
  parse_alone_spans_per_second: parsed,
  json_of_parse_alone: Math.round((json / parsed) * 1_000) / 1_000,
})
