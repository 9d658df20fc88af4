/** An event as handlers and sockets see it. */
export interface LoggedEvent {
  readonly position: number
  readonly id: string
  readonly tenantId: string
  readonly channel: string
  readonly sequence: number
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly data: Readonly<Record<string, unknown>>
  readonly traceparent: string | null
  readonly causationDepth: number
}
