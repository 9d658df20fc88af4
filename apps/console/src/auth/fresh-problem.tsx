import { ProblemError } from '@parapet/sdk'
import { useState } from 'react'
import { useSession } from '../api/session'
import { Field } from '../ui/field'
import { Problem } from '../ui/states'
import { TaskForm } from './auth-page'

interface FreshProps {
  readonly error: unknown
  /** Whether the account proves itself by a code, having a second factor, or by its password. */
  readonly byCode: boolean
  /** The session is fresh: the change can be made again. */
  readonly onFresh: () => void
}

/** AUTH-009 asks to prove again who one is; any other refusal is shown as it is. */
export function FreshProblem({ error, byCode, onFresh }: FreshProps) {
  const { stepUp } = useSession()
  const [proof, setProof] = useState('')
  if (!(error instanceof ProblemError) || error.errorCode !== 'AUTH-009') return <Problem error={error} />
  const prove = async (): Promise<void> => {
    await stepUp(byCode ? { code: proof.replaceAll(/[\s-]/g, '') } : { password: proof })
    onFresh()
  }
  return (
    <div className="notice stack" role="alert">
      <strong>Confirm that it is you, then try again</strong>
      <TaskForm action="Confirm" onSubmit={prove}>
        <Field
          label={byCode ? 'Code of your authenticator app, or a recovery code' : 'Password'}
          type={byCode ? 'text' : 'password'}
          required
          autoComplete={byCode ? 'one-time-code' : 'current-password'}
          value={proof}
          onChange={(event) => setProof(event.target.value)}
        />
      </TaskForm>
    </div>
  )
}
