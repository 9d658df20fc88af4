/** The four states beside data: loading, empty, failed, not permitted. Each says in words what is so and what to do. */
import { ConnectionError, ProblemError } from '@parapet/sdk'
import { type ReactNode, useEffect, useState } from 'react'
import { Icon, type IconName } from './icons'

/** Milliseconds before a skeleton shows, and before it says that something takes long. */
const quietMs = 150
const longMs = 5_000

function useAfter(ms: number): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return over
}

const bars = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

export function Loading({ lines = 4, label = 'Loading' }: { readonly lines?: number; readonly label?: string }) {
  const shown = useAfter(quietMs)
  const long = useAfter(longMs)
  if (!shown) return <div className="skeleton" aria-hidden="true" />
  return (
    <output className="skeleton" aria-label={label}>
      {bars.slice(0, lines).map((key) => (
        <i key={key} />
      ))}
      {long ? <span className="soft">This takes longer than usual. The server is still working on it.</span> : null}
    </output>
  )
}

interface EmptyProps {
  readonly title: string
  readonly icon?: IconName
  readonly children?: ReactNode
}

export function Empty({ title, icon = 'check', children }: EmptyProps) {
  return (
    <div className="state">
      <Icon name={icon} size={26} />
      <strong>{title}</strong>
      {children}
    </div>
  )
}

interface ProblemProps {
  readonly error: unknown
  readonly retry?: () => void
}

/** A failed call: the server's own words, its code, the id of the request, and a way on. */
export function Problem({ error, retry }: ProblemProps) {
  if (error instanceof ProblemError && error.errorCode === 'AUTH-004') return <NoPermission error={error} />
  const { title, detail, code, id } = factsOf(error)
  return (
    <div className="problem" role="alert">
      <strong>{title}</strong>
      <span>{detail}</span>
      <span className="row small">
        {code === null ? null : <a href={`/errors/${code}`}>{code}</a>}
        {id === null ? null : <CopyId id={id} />}
        {retry === undefined ? null : (
          <button type="button" className="button tiny" onClick={retry}>
            Try again
          </button>
        )}
      </span>
    </div>
  )
}

interface Facts {
  readonly title: string
  readonly detail: string
  readonly code: string | null
  readonly id: string | null
}

function factsOf(error: unknown): Facts {
  if (error instanceof ProblemError) {
    const parts = error.parts.map(({ detail, pointer }) => (pointer === null ? detail : `${pointer}: ${detail}`))
    const detail = parts.length > 0 ? parts.join(' ') : error.message
    return { title: error.title, detail, code: error.errorCode, id: error.requestId }
  }
  if (error instanceof ConnectionError)
    return { title: 'The server cannot be reached', detail: `${error.message}.`, code: null, id: null }
  const detail = error instanceof Error ? error.message : String(error)
  return { title: 'The console failed here', detail, code: null, id: null }
}

function CopyId({ id }: { readonly id: string }) {
  const [copied, setCopied] = useState(false)
  const copy = (): void => void navigator.clipboard.writeText(id).then(() => setCopied(true))
  return (
    <>
      <code>{id}</code>
      <button type="button" className="button tiny quiet" onClick={copy}>
        {copied ? 'Copied' : 'Copy request id'}
      </button>
    </>
  )
}

function NoPermission({ error }: { readonly error: ProblemError }) {
  return (
    <Empty title="You may not see this" icon="stop">
      <p>{error.message}</p>
      <p>An administrator of your tenant can give you a role that has it: Access, then Users.</p>
    </Empty>
  )
}

interface LoadedProps<T> {
  readonly query: {
    readonly data: T | undefined
    readonly error: unknown
    readonly isPending: boolean
    readonly refetch: () => unknown
  }
  readonly lines?: number
  readonly children: (data: T) => ReactNode
}

/** Shows what a query has: its data, or why there is none. Older data stays, with the failure above it. */
export function Loaded<T>({ query, lines, children }: LoadedProps<T>) {
  const retry = (): void => void query.refetch()
  if (query.data !== undefined)
    return (
      <>
        {query.error === null ? null : <Problem error={query.error} retry={retry} />}
        {children(query.data)}
      </>
    )
  if (query.error !== null) return <Problem error={query.error} retry={retry} />
  return <Loading {...(lines === undefined ? {} : { lines })} />
}
