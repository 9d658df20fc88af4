/** Model calls of other modules, through all steps like any other call. Tested in functions.test.ts. */

import { runCall, wholeAnswer } from '../answering/run-call.ts'
import { collectAnswer } from '../call/answer.ts'
import { type Asked, plainAsked } from '../call/asked.ts'
import { emptyCall } from '../call/call.ts'
import { numbersOf } from '../call/embedded-numbers.ts'
import { askedOfChat } from '../dialects/parapet/read.ts'
import { parapetWriter } from '../dialects/parapet/writer.ts'
import { usageOf } from '../money/usage.ts'
import type { ChatCompletion, ChatRequest } from '../schemas/chat-schema.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import type { Asker, Embedded, Embedding } from './gateway-api.ts'

/** @throws ProblemError */
export async function complete(
  services: GatewayServices,
  { actor, request: info }: Asker,
  request: Omit<ChatRequest, 'stream'>,
): Promise<ChatCompletion> {
  const state = await runCall(services, { actor, info, asked: askedOfChat(request) })
  return parapetWriter({ timings: false }).whole({ kernel: services.kernel, info, state }, wholeAnswer(state))
}

/** @throws ProblemError */
export async function embed(
  services: GatewayServices,
  { actor, request: info }: Asker,
  request: Embedding,
): Promise<Embedded> {
  const state = await runCall(services, { actor, info, asked: askedOfEmbedding(request) })
  const { model, embeddings } = collectAnswer(wholeAnswer(state))
  return {
    id: state.facts.id,
    provider: state.attempts.served?.provider.name ?? '',
    model: model || (state.attempts.served?.model ?? ''),
    vectors: embeddings.map(numbersOf),
    usage: usageOf(state),
  }
}

function askedOfEmbedding({ inputs, dimensions, metadata = {}, provider, model, policy_id }: Embedding): Asked {
  return {
    ...plainAsked,
    operation: 'embeddings',
    dialect: 'parapet',
    provider: provider ?? null,
    model: model ?? null,
    policy: policy_id ?? null,
    metadata,
    read: () => ({ ...emptyCall, metadata, embed: { inputs, dimensions: dimensions ?? null, encoding: null } }),
  }
}
