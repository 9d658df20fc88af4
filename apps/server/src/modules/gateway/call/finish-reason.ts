export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const
export type FinishReason = (typeof finishReasons)[number]
