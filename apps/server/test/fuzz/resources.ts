/**
 * The ids and cursors that are known while requests are made: the tenant's initial data and creations of the requests
 * themselves since, so that later requests reach the data that earlier ones left behind.
 */
import { declaredRoutes } from '../generated/manifest.ts'
import type { Ids } from '../generated/module-cases.ts'
import { makerOf } from '../generated/tenant-data.ts'
import type { FuzzRequest } from './requests.ts'

/** The newest ones; older ones of a kind have mostly been changed or deleted. */
const kept = 40
const placeholder = /«(\w+)»/g
const nobodys = '01890000-0000-7000-8000-000000000000'

export interface Resources {
  /** The request with an id in the place of each kind. */
  resolve(request: FuzzRequest): FuzzRequest
  note(path: string, answer: { readonly status: number; readonly text: string }): void
}

/** @param pinned kinds with only one instance: requests must not use up the one that the run needs */
export function resourcesOf(ids: Ids, pinned: Ids): Resources {
  const known = new Map<string, string[]>(Object.entries(ids).map(([kind, id]) => [kind, [id]]))
  const makers = kindsByMaker()
  const idFor = (kind: string, pick: number): string => {
    const all = known.get(kind) ?? []
    return pinned[kind] ?? all[pick % Math.max(1, all.length)] ?? nobodys
  }
  const add = (kind: string, id: string): void => {
    known.set(kind, [...(known.get(kind) ?? []), id].slice(-kept))
  }
  return {
    resolve: (request) => {
      const filled = (text: string): string => text.replaceAll(placeholder, (_all, kind) => idFor(kind, request.pick))
      const { payload } = request
      return {
        ...request,
        url: filled(request.url).replaceAll('cursor=*', () => `cursor=${idFor('cursor', request.pick)}`),
        payload: typeof payload === 'string' ? filled(payload) : payload,
      }
    },
    note: (path, { status, text }) => {
      if (status !== 200 && status !== 201) return
      const body = readObject(text)
      const kind = makers.get(path)
      const data = body?.data ?? body
      if (status === 201 && kind !== undefined && typeof data?.id === 'string') add(kind, data.id)
      const cursor = body?.meta?.pagination?.cursor
      if (typeof cursor === 'string') add('cursor', encodeURIComponent(cursor))
    },
  }
}

interface Answered {
  readonly id?: unknown
  readonly data?: Answered
  readonly meta?: { readonly pagination?: { readonly cursor?: unknown } }
}

function readObject(text: string): Answered | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

/** `POST <path>` by the kind it makes. */
function kindsByMaker(): ReadonlyMap<string, string> {
  const kinds = new Set(declaredRoutes.flatMap(({ params }) => params))
  return new Map(
    [...kinds].flatMap((kind) => {
      try {
        return [[makerOf(kind).path, kind] as const]
      } catch {
        // Found in a list and not made by a request of its own.
        return []
      }
    }),
  )
}
