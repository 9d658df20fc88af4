import { useQuery } from '@tanstack/react-query'
import { type Data, readPage } from '../api/client'

export type Approval = Data<'/aegis/approvals'>

/** Pages of 100 that are read, newest first, before the approval counts as not there. */
const mostPages = 10

/** One approval. The API has them as a list alone, so its pages are read until this one is found. */
export function useApproval(id: string) {
  return useQuery({
    queryKey: ['/aegis/approvals', 'one', id],
    queryFn: ({ signal }) => findApproval(id, signal),
  })
}

async function findApproval(id: string, signal: AbortSignal): Promise<Approval> {
  let cursor: string | null = null
  for (let page = 0; page < mostPages; page += 1) {
    const query = { limit: 100, ...(cursor === null ? {} : { cursor }) }
    const { data, meta } = await readPage('/aegis/approvals', { signal, query })
    const found = data.find((one) => one.id === id)
    if (found !== undefined) return found
    cursor = meta.pagination?.has_more === true ? meta.pagination.cursor : null
    if (cursor === null) break
  }
  throw new Error(`This approval is not among the newest ${mostPages * 100} of your tenant. Search the list by its tool.`)
}
