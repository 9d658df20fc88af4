import { useState } from 'react'
import { ask } from '../api/client'
import { Field } from '../ui/field'
import { AuthPage, TaskForm } from './auth-page'
import { tokenIn } from './token'
import { useLinkToken } from './use-link-token'

export const passwordHint = '15 characters or more; a passphrase is best.'

export function ForgotPage() {
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const send = async (): Promise<void> => {
    await ask('/auth/password/forgot', { email })
    setSent(true)
  }
  return (
    <AuthPage title="Forgot your password">
      {sent ? (
        <p className="notice good" role="status">
          If an account with a password has this address, a letter is on its way. Its link works once, for 30 minutes.
        </p>
      ) : (
        <TaskForm action="Send me a link" onSubmit={send}>
          <Field
            label="E-mail"
            type="email"
            required
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </TaskForm>
      )}
      <p className="small soft">
        <a href="/">Back to sign-in</a>
      </p>
    </AuthPage>
  )
}

export function ResetPage() {
  const [token, setToken] = useLinkToken()
  const [password, setPassword] = useState('')
  const [ended, setEnded] = useState<number | null>(null)
  const reset = async (): Promise<void> => {
    const { data } = await ask('/auth/password/reset', { token, new_password: password })
    setEnded(data.sessions_ended)
  }
  if (ended !== null)
    return (
      <AuthPage title="Your password is set">
        <p className="notice good" role="status">
          {`${ended} open ${ended === 1 ? 'session was' : 'sessions were'} ended. Second factors stay as they are.`}
        </p>
        <p>
          <a href="/">Sign in</a>
        </p>
      </AuthPage>
    )
  return (
    <AuthPage title="Set a new password">
      <TaskForm action="Set the password" onSubmit={reset}>
        <LinkField token={token} onChange={setToken} />
        <Field
          label="New password"
          hint={passwordHint}
          type="password"
          required
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </TaskForm>
      <p className="small soft">
        <a href="/sign-in/forgot">Ask for another link</a>
      </p>
    </AuthPage>
  )
}

export function ConfirmEmailPage() {
  const [token, setToken] = useLinkToken()
  const [email, setEmail] = useState<string | null>(null)
  const confirm = async (): Promise<void> => {
    const { data } = await ask('/auth/email/confirm', { token })
    setEmail(data.email)
  }
  return (
    <AuthPage title="Confirm your e-mail address">
      {email === null ? (
        <TaskForm action="Confirm" onSubmit={confirm}>
          <LinkField token={token} onChange={setToken} />
        </TaskForm>
      ) : (
        <p className="notice good" role="status">
          You sign in with {email} from now on. <a href="/">Sign in</a>
        </p>
      )}
    </AuthPage>
  )
}

interface LinkFieldProps {
  readonly token: string
  readonly onChange: (token: string) => void
}

/** Filled by the link itself; otherwise it can be pasted. */
export function LinkField({ token, onChange }: LinkFieldProps) {
  return (
    <Field
      label="Link of the letter, or the part behind its #"
      required
      autoComplete="off"
      spellCheck={false}
      value={token}
      onChange={(event) => onChange(tokenIn(event.target.value))}
    />
  )
}
