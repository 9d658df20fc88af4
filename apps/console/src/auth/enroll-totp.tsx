import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ask, create } from '../api/client'
import type { Posts } from '../api/generated/api'
import { Field } from '../ui/field'
import { Loading, Problem } from '../ui/states'
import { TaskForm } from './auth-page'
import { RecoveryCodes } from './recovery-codes'

type Started = Posts['/auth/mfa/totp']['data']

interface EnrollProps {
  /** `mfa.challenge` of AUTH-006; undefined for somebody signed in. */
  readonly challenge?: string
  readonly onDone: () => void
}

/** A picture to scan, a code that shows that it worked, and the recovery codes once. */
export function EnrollTotp({ challenge, onDone }: EnrollProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { mutate, ...start } = useMutation({
    mutationFn: () =>
      challenge === undefined
        ? create('/auth/mfa/totp', { body: {} })
        : ask('/auth/mfa/totp', { enrollment_token: challenge }),
  })
  useEffect(() => mutate(), [mutate])
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (start.error !== null) return <Problem error={start.error} retry={mutate} />
  if (start.data === undefined) return <Loading label="Making the secret" />
  return (
    <Verify
      started={start.data.data}
      challenge={challenge}
      onDone={(given) => (given.length === 0 ? onDone() : setCodes(given))}
    />
  )
}

interface VerifyProps {
  readonly started: Started
  readonly challenge: string | undefined
  readonly onDone: (codes: readonly string[]) => void
}

function Verify({ started, challenge, onDone }: VerifyProps) {
  const [code, setCode] = useState('')
  const verify = async (): Promise<void> => {
    const body = { factor_id: started.factor_id, code: code.replaceAll(/[\s-]/g, '') }
    const { data } = await (challenge === undefined
      ? create('/auth/mfa/totp/verify', { body })
      : ask('/auth/mfa/totp/verify', { ...body, enrollment_token: challenge }))
    onDone(data.recovery_codes ?? [])
  }
  return (
    <div className="stack">
      <p>Scan this with an authenticator app, or type the secret into it.</p>
      <img
        className="qr"
        alt={`QR code of ${started.otpauth_uri}`}
        src={`data:image/svg+xml,${encodeURIComponent(started.qr_svg)}`}
      />
      <p className="small">
        Secret <code data-testid="totp-secret">{started.secret_base32}</code>
      </p>
      <TaskForm action="Turn it on" onSubmit={verify}>
        <Field
          label="Code that the app shows"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </TaskForm>
    </div>
  )
}
