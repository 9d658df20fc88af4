/**
 * The client of the Parapet API for Node and browsers, without dependencies: typed envelopes, problems as errors,
 * renewal of tokens, safe retries, lists, model calls and the event stream. It does not check bodies against the
 * server's document. Tested in the *.test.ts beside each file, against a server of the test's own.
 */
export type { ChatCompletions, ChatOptions } from './chat/completions.ts'
export type { ChatStream, ChatStreamEvent } from './chat/stream.ts'
export type * from './chat/types.ts'
export { type Client, createClient } from './client.ts'
export type { Ended, SubscribeOptions, Subscription } from './events/contract.ts'
export type { Gap, StreamEvent, Subscribed, Unsubscribed } from './events/frames.ts'
export type { Resume } from './events/positions.ts'
export type { Socket, SocketConstructor } from './events/socket.ts'
export type { Answer, Meta, Pagination } from './http/answer.ts'
export { ConnectionError, ProblemError, type ProblemPart } from './http/problem.ts'
export type { CallOptions } from './http/request.ts'
export type { Runtime } from './http/runtime.ts'
export type { SignIn, TokenSet, Tokens } from './http/session.ts'
export type { ListOptions } from './list.ts'
export type { ClientOptions } from './options.ts'
export { verifyWebhook, type WebhookMessage, type WebhookRefusal, WebhookRefused } from './webhook.ts'
