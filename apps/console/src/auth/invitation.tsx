import { useState } from 'react'
import { ask } from '../api/client'
import type { Posts } from '../api/generated/api'
import { hasPasskeys, newPasskey } from '../api/passkeys'
import { Field } from '../ui/field'
import { AuthPage, TaskForm } from './auth-page'
import { LinkField, passwordHint } from './password-pages'
import { RecoveryCodes } from './recovery-codes'
import { useLinkToken } from './use-link-token'

type Accepted = Posts['/auth/invitations/accept']['data']

export function InvitationPage() {
  const [token, setToken] = useLinkToken()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [byPasskey, setByPasskey] = useState(false)
  const [accepted, setAccepted] = useState<Accepted | null>(null)
  const accept = async (): Promise<void> => {
    const proof = byPasskey ? { credential: await passkeyFor(token) } : { password }
    const named = name.trim() === '' ? {} : { display_name: name.trim() }
    const { data } = await ask('/auth/invitations/accept', { token, ...proof, ...named })
    setAccepted(data)
  }
  if (accepted !== null) return <Welcome accepted={accepted} />
  return (
    <AuthPage title="Accept an invitation">
      <TaskForm action={byPasskey ? 'Make a passkey' : 'Accept'} onSubmit={accept}>
        <LinkField token={token} onChange={setToken} />
        <Field
          label="Your name (optional)"
          autoComplete="name"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {byPasskey ? null : (
          <Field
            label="Password"
            hint={passwordHint}
            type="password"
            required
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </TaskForm>
      {hasPasskeys() ? (
        <button type="button" className="button quiet" onClick={() => setByPasskey(!byPasskey)}>
          {byPasskey ? 'Choose a password instead' : 'Use a passkey instead'}
        </button>
      ) : null}
    </AuthPage>
  )
}

async function passkeyFor(token: string) {
  const { data } = await ask('/auth/passkeys/registration-options', { invitation_token: token })
  return newPasskey(data)
}

function Welcome({ accepted: { email, recovery_codes: codes = [] } }: { readonly accepted: Accepted }) {
  const [kept, setKept] = useState(codes.length === 0)
  return (
    <AuthPage title="Your account is active">
      {kept ? (
        <p className="notice good" role="status">
          You can sign in as {email} now. <a href="/">Sign in</a>
        </p>
      ) : (
        <RecoveryCodes codes={codes} onDone={() => setKept(true)} />
      )}
    </AuthPage>
  )
}
