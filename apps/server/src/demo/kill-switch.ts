import { type Client, ProblemError } from '@parapet/sdk'

export const stopReason = 'Demo: stop every model call of this tenant'
const endReason = 'Demo: all clear, calls may go on'

/** Ending a stop of the whole tenant takes two steps: the first is refused with a token to confirm with. */
export async function endStop(
  client: Client,
  id: string,
  onConfirmation: (problem: ProblemError) => void = () => undefined,
): Promise<void> {
  const path = `/gateway/kill-switches/${id}/deactivate`
  try {
    await client.post(path, { reason: endReason })
  } catch (error) {
    if (!(error instanceof ProblemError) || error.errorCode !== 'AEGIS-009') throw error
    onConfirmation(error)
    await client.post(path, { reason: endReason, confirm_token: error.body.confirm_token })
  }
}

/** A run that was stopped half-way may have left its stop behind. */
export async function endStopsOfEarlierRuns(client: Client): Promise<void> {
  const query = { status: 'active' }
  for await (const stop of client.list<{ id: string; reason: string }>('/gateway/kill-switches', { query })) {
    if (stop.reason === stopReason) await endStop(client, stop.id)
  }
}
