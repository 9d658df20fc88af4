/** The session of this browser: kept in memory, resumed by the cookie, ended in all tabs together. */
import { ProblemError } from '@parapet/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { ask, closeClient, create, type Data, endSession, firstToken, openClient, signedIn } from './client'
import { passkeyAnswer } from './passkeys'

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

/** A password of an account without a second factor, the code of one with it. */
export type StepUpInput = { readonly password: string } | { readonly code: string }

interface SessionTools {
  readonly state: SessionState
  /** @throws ProblemError: AUTH-006 asks for the code of a second factor */
  readonly signIn: (input: SignInInput) => Promise<void>
  /** @throws ProblemError, and DOMException where the person or the browser ends the question for the passkey */
  readonly signInByPasskey: () => Promise<void>
  /** Proves again who it is, for changes that ask for it with AUTH-009. */
  readonly stepUp: (proof: StepUpInput) => Promise<void>
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
      signInByPasskey: () => signInByPasskey(enter),
      stepUp: async (proof: StepUpInput) => {
        const { data } = await create('/auth/step-up', { body: proof })
        await enter(data.access_token)
      },
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

type Enter = (token: string) => Promise<void>

async function signIn({ email, password, code }: SignInInput, enter: Enter): Promise<void> {
  const { data } = await ask('/auth/login', { email, password, ...(code === undefined ? {} : { mfa_code: code }) })
  await begin(data.refresh_token, enter)
}

async function signInByPasskey(enter: Enter): Promise<void> {
  const { data: options } = await ask('/auth/passkeys/authentication-options', {})
  const { data } = await ask('/auth/passkeys/login', { credential: await passkeyAnswer(options) })
  await begin(data.refresh_token, enter)
}

/** Moves the refresh token of a new session into the cookie. */
async function begin(refreshToken: string, enter: Enter): Promise<void> {
  const token = await firstToken(refreshToken)
  if (token === null) throw new Error('The server opened a session and then refused it. Sign in again.')
  await enter(token)
}

/** A session that has ended already is what was asked for. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof ProblemError) || error.status !== 401) throw error
}
