import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { CampaignResult } from '../declared/campaign-schema.ts'
import { type CampaignRequest, simulateCampaign } from './simulate.ts'

/** Simulates a campaign in a thread; null where it was told to stop. */
export const runCampaign: ThreadTask<CampaignRequest, CampaignResult | null> = {
  name: 'cybertwins.run_campaign',
  lane: 'long',
  run: (request, work) => simulateCampaign(request, work),
}
