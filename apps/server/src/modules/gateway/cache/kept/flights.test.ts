import { expect, test } from 'vitest'
import { createFlights } from './flights.ts'

const open = new AbortController().signal

function airborne() {
  const flights = createFlights<string>()
  const flight = flights.takeOff('k')
  if (flight === null) throw new Error('the way was taken')
  return { flights, flight }
}

test('those who wait share the answer of the one that asks', async () => {
  const { flights, flight } = airborne()
  const waiting = [flights.find('k')?.join(open), flights.find('k')?.join(open)]
  expect([flight.waiting(), flights.waiting(), flight.arrived()]).toEqual([2, 2, false])
  flight.land('answer')
  expect(await Promise.all(waiting)).toEqual(['answer', 'answer'])
  expect([flight.waiting(), flights.waiting(), flight.arrived()]).toEqual([0, 0, true])
})

test('one that finds nothing tells them so, and what is said later changes nothing', async () => {
  const { flight } = airborne()
  const waiting = flight.join(open)
  flight.land(null)
  flight.land('too late')
  expect(await waiting).toBeNull()
  expect(flight.arrived()).toBe(false)
})

test('there is one per key until it is closed, and nobody closes that of another', () => {
  const { flights, flight } = airborne()
  expect(flights.takeOff('k')).toBeNull()
  flight.close()
  const next = flights.takeOff('k')
  flight.close()
  expect(flights.find('k')).toBe(next)
})

test('a waiter leaves when its caller does, and the others stay', async () => {
  const { flight } = airborne()
  const caller = new AbortController()
  const [gone, stays] = [flight.join(caller.signal), flight.join(open)]
  caller.abort(new Error('gone'))
  await expect(gone).rejects.toThrow('gone')
  expect(flight.waiting()).toBe(1)
  flight.land('answer')
  expect(await stays).toBe('answer')
})
