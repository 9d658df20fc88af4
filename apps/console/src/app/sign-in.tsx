import { ProblemError } from '@parapet/sdk'
import { type FormEvent, useState } from 'react'
import { hasPasskeys } from '../api/passkeys'
import { useSession } from '../api/session'
import { EnrollTotp } from '../auth/enroll-totp'
import { Field } from '../ui/field'
import { Mark } from '../ui/icons'
import { A } from '../ui/link'
import { Problem } from '../ui/states'

interface PageProps {
  readonly reason: 'none' | 'expired' | 'signed_out'
}

export function SignInPage({ reason }: PageProps) {
  return (
    <main className="sign-in">
      <title>Sign in · Parapet</title>
      <div className="card">
        <span className="brand">
          <Mark size={26} /> Parapet
        </span>
        <h1>Sign in</h1>
        {reason === 'signed_out' ? (
          <p className="notice good">You are signed out, in every tab of this browser.</p>
        ) : null}
        <SignInForm email="" />
        <p className="small soft">
          <A href="/sign-in/forgot">Forgot your password?</A> · <A href="/sign-in/invitation">Accept an invitation</A> ·{' '}
          <a href="/docs">API browser</a>
        </p>
      </div>
    </main>
  )
}

/** Password first; the code is asked for when the account has a second factor. */
export function SignInForm({ email: known }: { readonly email: string }) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const { code, setCode, challenge, error, busy, byPassword, byPasskey, enrolled } = useSignIn()
  if (challenge !== null)
    return (
      <>
        <p className="notice">Your tenant requires a second factor. Add one now, then sign in with its code.</p>
        <EnrollTotp challenge={challenge} onDone={enrolled} />
      </>
    )
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    byPassword(email, password)
  }
  return (
    <form className="stack" onSubmit={submit}>
      {error === null ? null : <Problem error={error} />}
      {code === null ? (
        <Credentials email={email} password={password} onEmail={setEmail} onPassword={setPassword} />
      ) : (
        <CodeField code={code} onChange={setCode} />
      )}
      <div className="row apart">
        <button type="submit" className="button main" disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
        {code !== null ? (
          <button type="button" className="button quiet" onClick={() => setCode(null)}>
            Back
          </button>
        ) : hasPasskeys() ? (
          <button type="button" className="button" disabled={busy} onClick={byPasskey}>
            Use a passkey
          </button>
        ) : null}
      </div>
    </form>
  )
}

/** The steps of a sign-in: refused, waiting for a code, or for a second factor to be added. */
function useSignIn() {
  const { signIn, signInByPasskey } = useSession()
  const [code, setCode] = useState<string | null>(null)
  const [challenge, setChallenge] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const run = (attempt: Promise<void>): void => {
    setBusy(true)
    setError(null)
    attempt.catch((problem) => {
      setBusy(false)
      const wanted = factorOf(problem)
      if (wanted.asks === 'code' && code === null) setCode('')
      else if (wanted.asks === 'enrollment') setChallenge(wanted.challenge)
      else setError(problem)
    })
  }
  return {
    ...{ code, setCode, challenge, error, busy },
    byPassword: (email: string, password: string) =>
      run(signIn({ email, password, ...(code === null ? {} : { code: code.replaceAll(/[\s-]/g, '') }) })),
    byPasskey: () => run(signInByPasskey()),
    enrolled: () => {
      setChallenge(null)
      setCode('')
    },
  }
}

interface CredentialsProps {
  readonly email: string
  readonly password: string
  readonly onEmail: (email: string) => void
  readonly onPassword: (password: string) => void
}

function Credentials({ email, password, onEmail, onPassword }: CredentialsProps) {
  return (
    <>
      <Field
        label="E-mail"
        type="email"
        required
        autoComplete="username"
        value={email}
        onChange={(event) => onEmail(event.target.value)}
      />
      <Field
        label="Password"
        type="password"
        required
        autoComplete="current-password"
        value={password}
        onChange={(event) => onPassword(event.target.value)}
      />
    </>
  )
}

function CodeField({ code, onChange }: { readonly code: string; readonly onChange: (code: string) => void }) {
  return (
    <Field
      label="Code of your authenticator app"
      hint="Six digits, or the sixteen of a recovery code."
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      autoFocus
      value={code}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

interface WantedFactor {
  readonly asks: 'code' | 'enrollment' | null
  readonly challenge: string
}

/** AUTH-006 asks for the code of a factor, or to add one first where the tenant requires it and there is none. */
function factorOf(problem: unknown): WantedFactor {
  if (!(problem instanceof ProblemError) || problem.errorCode !== 'AUTH-006') return { asks: null, challenge: '' }
  const mfa = problem.body.mfa as { readonly enrollment_required?: boolean; readonly challenge?: string } | undefined
  return { asks: mfa?.enrollment_required === true ? 'enrollment' : 'code', challenge: mfa?.challenge ?? '' }
}
