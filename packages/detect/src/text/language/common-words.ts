// Frequent English words and those requests to an assistant are made of: enough to tell a readable line from a joined,
// split or reversed one, not a dictionary.
const list = [
  'the be to of and a in that have i it for not on with he as you do at this but his by from they we say her she or',
  'an will my one all would there their what so up out if about who get which go me when make can like time no just',
  'him know take people into year your good some could them see other than then now look only come its over think',
  'also back after use two how our work first well way even new want because any these give day most us is are was',
  'were been has had did more must may such very here where why again never always every each own same still before',
  'under between through without should shall ignore disregard forget previous prior above following follow',
  'instruction instructions rule rules prompt system user assistant reveal show print tell write answer respond',
  'reply repeat output message text word words question act pretend role play mode developer admin access password',
  'secret key code data file files email send call run execute tool function delete transfer account money please',
  'sure remember start begin stop end task request response content policy restriction restrictions filter filters',
  'safety guidelines directive directives command commands information hidden internal original initial full',
  'complete exact exactly entire everything anything nothing something someone next last sentence sentences list',
  'short simple explain describe translate summarize summary create help find read open document page link website',
  'image table story poem recipe book history world country city water food house school student child family',
  'friend man woman men women life hand part place case week company problem fact night point home room mother area',
  'month lot right study law job business issue side kind head line number name against during both while until',
  'being those too off few much many let put set',
].join(' ')

export const commonWords: ReadonlySet<string> = new Set(list.split(' '))
