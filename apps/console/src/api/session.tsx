/** The session of this browser: kept in memory, resumed by the cookie, ended in all tabs together. */
import { ProblemError } from '@parapet/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { closeClient, type Data, endSession, firstToken, openClient, signedIn, stranger } from './client'

export type Me = Data<'/auth/me'>

export type SessionState =
  | { readonly at: 'resuming' }
  | { readonly at: 'out'; readonly reason: 'none' | 'expired' | 'signed_out' }
  /** The page stays, with a sign-in over it: nothing that was typed is lost. */
  | { readonly at: 'expired'; readonly me: Me }
  | { readonly at: 'in'; readonly me: Me }

export interface SignInInput {
  readonly email: string
  readonly password: string
  readonly code?: string
}

interface SessionTools {
  readonly state: SessionState
  /** @throws ProblemError: AUTH-006 asks for the code of a second factor */
  readonly signIn: (input: SignInInput) => Promise<void>
  readonly signOut: () => Promise<void>
}

const SessionContext = createContext<SessionTools | null>(null)

export function useSession(): SessionTools {
  const tools = use(SessionContext)
  if (tools === null) throw new Error('There is no session provider above this.')
  return tools
}

/** The person who is signed in; for parts below the shell. */
export function useMe(): Me {
  const { state } = useSession()
  if (state.at === 'in' || state.at === 'expired') return state.me
  throw new Error('Nobody is signed in.')
}

export function useMay(permission: string): boolean {
  return useMe().permissions.includes(permission)
}

const tabs = new BroadcastChannel('parapet-session')

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient()
  const [state, setState] = useState<SessionState>({ at: 'resuming' })

  const enter = useCallback(async (accessToken: string): Promise<void> => {
    const onEnded = (): void => setState((now) => (now.at === 'in' ? { at: 'expired', me: now.me } : now))
    openClient({ accessToken, onEnded })
    const { data } = await signedIn().get<Me>('/auth/me')
    setState({ at: 'in', me: data })
  }, [])

  const leave = useCallback((): void => {
    closeClient()
    queries.clear()
    setState({ at: 'out', reason: 'signed_out' })
  }, [queries])

  useEffect(() => {
    firstToken()
      .then((token) => (token === null ? setState({ at: 'out', reason: 'none' }) : enter(token)))
      .catch(() => setState({ at: 'out', reason: 'none' }))
  }, [enter])

  useEffect(() => {
    tabs.addEventListener('message', leave)
    return () => tabs.removeEventListener('message', leave)
  }, [leave])

  const tools = useMemo(
    () => ({
      state,
      signIn: (input: SignInInput) => signIn(input, enter),
      signOut: async () => {
        await endSession().catch(ignoreEnded)
        tabs.postMessage('signed-out')
        leave()
      },
    }),
    [state, enter, leave],
  )
  return <SessionContext value={tools}>{children}</SessionContext>
}

async function signIn({ email, password, code }: SignInInput, enter: (token: string) => Promise<void>): Promise<void> {
  const body = { email, password, ...(code === undefined ? {} : { mfa_code: code }) }
  const { data } = await stranger.post<{ readonly refresh_token: string }>('/auth/login', body)
  const token = await firstToken(data.refresh_token)
  if (token === null) throw new Error('The server took the password and then refused the session. Sign in again.')
  await enter(token)
}

/** A session that has ended already is what was asked for. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof ProblemError) || error.status !== 401) throw error
}
