export type RateClass = 'api' | 'inference' | 'expensive' | 'credential'
