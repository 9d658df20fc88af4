import type { EgressResponse } from './exchange.ts'

/** An answer in the form that libraries written for `fetch` read, its body whole. @throws EgressError while it is read */
export async function webResponseOf(answer: EgressResponse): Promise<Response> {
  const body = await answer.bytes()
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one)
  }
  const bodiless = answer.status === 204 || answer.status === 304 || answer.status < 200
  return new Response(bodiless ? null : Buffer.from(body), { status: answer.status, headers })
}
