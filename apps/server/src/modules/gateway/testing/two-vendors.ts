import { message } from './anthropic-shapes.ts'
import { answering } from './anthropic-world.ts'
import { type OpenAiWorld, openOpenAiWorld } from './openai-world.ts'
import { openUpstream, say, type Upstream } from './upstream.ts'

/** A world of OpenAI's form with a vendor of Anthropic's form beside it, both of which answer `Hello.`; neither is registered. */
export interface TwoVendors extends OpenAiWorld {
  readonly vendor: Upstream
  /** Asks `claude-1` in Anthropic's form. */
  claude(over: object): ReturnType<OpenAiWorld['admin']['post']>
  /** Asks in OpenAI's form. */
  chat(over: object): ReturnType<OpenAiWorld['admin']['post']>
  /** Forgets the recorded requests of both. */
  forget(): void
}

export async function openTwoVendors(): Promise<TwoVendors> {
  const at = await openOpenAiWorld()
  const vendor = await openUpstream()
  at.upstream.reply(say('Hello.'))
  vendor.reply(answering(message([{ type: 'text', text: 'Hello.' }])))
  const messages = [{ role: 'user', content: 'Hi' }]
  return {
    ...at,
    vendor,
    claude: (over) =>
      at.admin.post('/gateway/anthropic/v1/messages', { model: 'claude-1', max_tokens: 9, messages, ...over }),
    chat: (over) => at.admin.post('/gateway/openai/v1/chat/completions', { model: 'test-model', messages, ...over }),
    forget: () => {
      at.upstream.received.splice(0)
      vendor.received.splice(0)
    },
    close: async () => {
      await vendor.close()
      await at.close()
    },
  }
}
