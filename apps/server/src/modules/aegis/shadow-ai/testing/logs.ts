/** Lines of logs for tests. */
export interface SquidAccess {
  /** Unix seconds. */
  readonly at: number
  /** `CONNECT host:port`, or a method and a URL. */
  readonly target: string
  readonly user: string
  readonly client?: string
  readonly bytes?: number
}

export const squidLine = ({ at, target, user, client = '192.0.2.1', bytes = 100 }: SquidAccess): string =>
  `${at}.000    180 ${client} TCP_TUNNEL/200 ${bytes} ${target} ${user} HIER_DIRECT/203.0.113.1 -\n`
