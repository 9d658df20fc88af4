export interface EchoAnswer {
  readonly text: string
  readonly toolCall: { readonly name: string; readonly arguments: string } | null
}
