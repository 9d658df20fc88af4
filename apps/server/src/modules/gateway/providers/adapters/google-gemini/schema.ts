import Type, { type Static } from 'typebox'

const opt = Type.Optional
const maybe = <S extends Type.TSchema>(schema: S) => opt(Type.Union([schema, Type.Null()]))
const count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const word = Type.String({ maxLength: 256 })
const record = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })

/** Only used members are described; the vendor adds members freely, and omits members that are empty or 0. */
const FunctionCall = Type.Object({ id: maybe(word), name: word, args: maybe(record) })
export type GeminiCall = Static<typeof FunctionCall>

const Part = Type.Object({
  text: maybe(Type.String()),
  thought: maybe(Type.Boolean()),
  thoughtSignature: maybe(Type.String()),
  functionCall: maybe(FunctionCall),
})
export type GeminiPart = Static<typeof Part>

const Logprob = Type.Object({ token: opt(Type.String()), logProbability: opt(Type.Number()) })
const Logprobs = Type.Object({
  chosenCandidates: maybe(Type.Array(Logprob)),
  topCandidates: maybe(Type.Array(Type.Object({ candidates: maybe(Type.Array(Logprob)) }))),
})
export type GeminiLogprob = Static<typeof Logprob>
export type GeminiLogprobs = Static<typeof Logprobs>

const Candidate = Type.Object({
  index: opt(Type.Integer({ minimum: 0, maximum: 127 })),
  content: maybe(Type.Object({ parts: maybe(Type.Array(Part)) })),
  finishReason: maybe(Type.String({ maxLength: 64 })),
  finishMessage: maybe(Type.String()),
  logprobsResult: maybe(Logprobs),
})
export type GeminiCandidate = Static<typeof Candidate>

const Details = maybe(Type.Array(Type.Object({ modality: opt(word), tokenCount: maybe(count) })))
const Usage = Type.Object({
  promptTokenCount: maybe(count),
  cachedContentTokenCount: maybe(count),
  candidatesTokenCount: maybe(count),
  thoughtsTokenCount: maybe(count),
  toolUsePromptTokenCount: maybe(count),
  promptTokensDetails: Details,
  candidatesTokensDetails: Details,
})
export type GeminiUsage = Static<typeof Usage>

/** A complete answer and a piece of a stream look the same; one that holds none of these members is something else. */
const members = {
  candidates: maybe(Type.Array(Candidate)),
  promptFeedback: maybe(Type.Object({ blockReason: maybe(word), blockReasonMessage: maybe(Type.String()) })),
  usageMetadata: maybe(Usage),
  modelVersion: maybe(word),
  responseId: maybe(word),
}
export const GeminiAnswer = Type.Object(members, { minProperties: 1 })
export type GeminiAnswer = Static<typeof GeminiAnswer>

const Detail = Type.Object({
  reason: maybe(Type.String()),
  /** Seconds, as `34.5s`. */
  retryDelay: maybe(Type.String({ maxLength: 32 })),
})
export const GeminiError = Type.Object({
  error: Type.Object({
    code: maybe(Type.Integer()),
    message: maybe(Type.String()),
    status: maybe(word),
    details: maybe(Type.Array(Detail)),
  }),
})
export type GeminiError = Static<typeof GeminiError>

export const GeminiModels = Type.Object({
  models: maybe(
    Type.Array(Type.Object({ name: word, supportedGenerationMethods: maybe(Type.Array(Type.String())) }), {
      maxItems: 10_000,
    }),
  ),
})

export const GeminiEmbeddings = Type.Object({
  embeddings: Type.Array(Type.Object({ values: Type.Array(Type.Number()) }), { maxItems: 2048 }),
  usageMetadata: maybe(Usage),
})
