import type { Campaign, CampaignRow } from '../declared/campaign-schema.ts'

/** @param included `ttc` for the curve, `steps`, `coverage`; empty for all */
export function campaignView({ result, ...row }: CampaignRow, included: ReadonlySet<string>): Campaign {
  if (result === null) return { ...row, result: null }
  const all = included.size === 0
  const { curve, steps, coverage, ...always } = result
  return {
    ...row,
    result: {
      ...always,
      ...(all || included.has('ttc') ? { curve } : {}),
      ...(all || included.has('steps') ? { steps } : {}),
      ...(all || included.has('coverage') ? { coverage } : {}),
    },
  }
}
