import type { ListPrice } from '../price.ts'
import { anthropicPrices } from './anthropic.ts'
import { openAiPrices } from './openai.ts'
import { otherPrices } from './others.ts'

/** Kinds whose operator sets the prices (`openai_compatible`, `ollama`) have no price here. */
export const shippedPrices: readonly ListPrice[] = [...openAiPrices, ...anthropicPrices, ...otherPrices]
