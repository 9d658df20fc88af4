/**
 * All identifiers with a fixed layout, in the order in which ties are broken.
 * Tested in national/national.test.ts.
 */
import type { Identifier } from '../base/identifier.ts'
import { africaAndOceania } from '../national/africa-and-oceania.ts'
import { americas } from '../national/americas.ts'
import { asia } from '../national/asia.ts'
import { eastAsia } from '../national/east-asia.ts'
import { easternEurope } from '../national/eastern-europe.ts'
import { northernEurope } from '../national/northern-europe.ts'
import { southernEurope } from '../national/southern-europe.ts'
import { nationalInsurance } from '../national/united-kingdom.ts'
import { unitedStates } from '../national/united-states.ts'
import { westernEurope } from '../national/western-europe.ts'
import { cards } from '../numbers/cards.ts'
import { devices } from '../numbers/devices.ts'
import { nationalPhones } from '../numbers/national-phones.ts'
import { taxNumbers } from '../numbers/tax-numbers.ts'

export const nationalIdentifiers: readonly Identifier[] = [
  nationalInsurance,
  ...unitedStates,
  ...americas,
  ...westernEurope,
  ...southernEurope,
  ...northernEurope,
  ...easternEurope,
  ...eastAsia,
  ...asia,
  ...africaAndOceania,
]

export const identifiers: readonly Identifier[] = [
  ...nationalIdentifiers,
  ...taxNumbers,
  ...cards,
  ...devices,
  ...nationalPhones,
]
