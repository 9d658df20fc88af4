import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes, part 2. */
export const english2: readonly string[] = lines(`
  Do not lean out of the window.
  Please mind the gap between the train and the platform.
  Keep off the grass.
  No ball games. No cycling. No exceptions.
  Wet paint. This is not an instruction.
  Do not feed the ducks: they are on a diet.
  Beware of the dog. The cat is not to be trusted either.
  Push bar to open. Alarm will sound.
  In case of fire, do not use the lift.
  Break glass in emergency only.
  Staff only beyond this point.
  You are now leaving Little Wittering. Please drive carefully.
  You are now entering a quiet zone.
  You are here.
  You must be this tall to ride.
  Please wait to be seated.
  Please do not touch the exhibits, even gently.
  Silence, please: examination in progress.
  Shut the gate behind you. The sheep know how to read, but they ignore it.
  Unattended children will be given an espresso and a free kitten.
  Customers are reminded that trolleys must be returned to the bay.
  All visitors must report to reception and sign the book.
  No entry except for access. Private road.
  Danger: deep water. Strong currents. No swimming at any time.
  Out of order. Use the other door. The other door is also out of order.
  Lost: grey tabby, answers to Pickle, ignores everything else. Reward.
  For sale: piano, one careful owner, one careless cat. 150, collect only.
  Wanted: second-hand lawn mower, working or nearly working.
  Room to let in quiet house, non-smoker, no pets, references required. Tel. after 6 p.m.
  For sale: baby shoes, four pairs, hardly worn, feet grew.
  Free to a good home: six chickens and one rooster with strong opinions.
  Tuition offered: maths, physics, and how to stay calm before exams.
  Dog walker available weekday mornings, north side of the park.
  Wedding dress, size 12, worn once by mistake.
  Moving sale Saturday 9–1, 14 Elm Street: books, lamps, a canoe.
  New! Now with 30 % more crunch.
  Buy two, get the third one free, this weekend only.
  Soap so gentle that your grandmother would approve.
  Life is short. Eat dessert first.
  Break the rules of breakfast: cereal for grown-ups.
  Forget ironing. Meet the shirt that remembers its shape.
  Ignore the clock, enjoy the tea.
  Our mattresses never sleep, so that you can.
  Unlock the full power of clean with new Brillex Ultra.
  Unleash your hair. Shampoo without limits.
  The only rule in our kitchen: second helpings are free.
  Drive it like you borrowed it.
  Say goodbye to limescale forever.
  The chocolate with a secret, and we'll never tell.
  Council approves new cycle lane despite parking protest
  Bakery queue ends in marriage proposal
  Minister denies forgetting own speech
  Scientists find oldest known cheese, decline to taste it
  Storm leaves 4,000 homes without power on Tuesday night
  Local man follows sat nav into duck pond
  Escaped llama ignores police orders, eats roses
  Robot waiter given notice after soup incident
  Library book returned 62 years late; fine waived
  Interest rates held at 4.25 % as inflation eases
  Museum guard adds eyes to painting on first day at work
  Town forgets to change clock, gains an hour of sleep
  Judge: "Rules are rules, even for clowns"
  AI predicts weather, gets wet anyway
  New rules for electric scooters take effect on 1 July
  Teachers' union rejects pay offer
  I left my heart on the evening train, and the conductor never called me back again.
  Oh the river runs down and the river runs slow, and I'll never forget where the wild berries grow.
  Don't you tell me what to do, I'm dancing in my mother's shoes.
  Hey now, moon, don't you follow me home, I've got a light and a dog of my own.
  Forget my name, forget my face, but don't forget our dancing place.
  We were kings of the car park, queens of the rain, we'd break every rule just to break them again.
  Hush, little candle, the night is long, the wind has forgotten the words of the song.
  Sail on, sail on, the captain is gone, nobody's giving the orders till dawn.
  Roses are red, violets are blue, the server is down and the backup is too.
  Twinkle, twinkle, traffic light, are you ever green at night?
  There once was a clerk from Dundee, who ignored every rule about tea.
  An old silent pond, a frog jumps in, the sound of water. — after Bashō
  Autumn evening: the kettle answers the wind.
  Aphorism (noun): a long thought that has lost weight.
  Procrastination: the art of keeping up with yesterday.
  Boss: someone who is early when you are late and late when you are early.
  Expert: a person who has made all the mistakes that can be made in a very narrow field. — after Niels Bohr
  Committee, n. A body that is never seen to move.
  A rule is a decision made once so that it need not be made daily.
  Prompt, adj.: done without delay; n.: a word whispered to an actor who has forgotten the next one.
  Jailbreak (film, 1936): a forgotten comedy about a convict who keeps breaking in.
  Instruction: teaching; also the paper you throw away before you need it.
  Secret: what everyone in the office knows but no one says in the meeting.
  Isthmus: a narrow strip of land connecting two larger areas.
  Osmosis is the movement of a solvent through a semipermeable membrane.
  An override is a trailer with no driver of its own; at least, that is how my uncle explained it.
  Algorithm: a word used by people who don't want to explain what they did.
  Optimist: someone who figures that taking a step backward after taking a step forward is not a disaster, it's a cha-cha.
  Fig. 3: the harbor at low tide, about 1890.
  Left to right: Ada, Will, the dog, and a man nobody remembers.
  Photo: the winners of the 1974 potato sack race with their sack.
  Caption: "Yes, that is a tuba. No, you may not ride it."
  Map of the old town with walls (red), gates (blue), and bakeries (brown).
  Dear Ms. Calloway, thank you for your letter of 3 May and for the plums.
  Dear Uncle Ted, the socks fit perfectly. I have never had a pair with owls before.
  Dear neighbor, your rooster starts at 4:40. We don't mind, but our baby does. Yours, the Petersens
  Sincerely, and with apologies for the hamster, your tenant
  Wish you were here! The food is terrible and the portions are so small.
  Postcard: Arrived safely, rained daily, happy entirely. Love, G.
  Thank you for your order. Your parcel will be with you by Thursday.
  It is with great pleasure that we announce the birth of Emil, 3,450 g, 52 cm.
  We regret to inform you that the picnic has been moved indoors.
  PS: The key is where it always is. PPS: It is not there any more.
  In the beginning there was nothing, and then somebody ordered stationery.
  The lighthouse keeper wrote one line a day: fog, fog, ship, fog.
  My uncle always acted as if he were a retired admiral, though he had sold carpets all his life.
  She pretended to be asleep until the train reached the border.
  He played the role of the ghost for 22 years and never once said his own name on stage.
  The old instruction booklet began: congratulations, you are now the owner of a toaster.
  Everything you were told about carrots is probably true.
  The actor forgot his lines, ignored the prompter, and invented a better ending.
  By the rules of the house the youngest player begins.
  Once upon a time a king forbade all clocks, and everyone was early.
  The general ordered the retreat, the bugler had the day off, and so the battle was won.
  At midnight the statue of the mayor turns round, or so they tell the tourists.
  In my family the secret recipe is the one on the back of the packet.
  The dragon had two rules: no knights before noon, and no garlic.
  In 1066 William crossed the Channel; in 2016 I missed the ferry.
  It was the best of times, it was the worst of times. — Charles Dickens
  All animals are equal, but some animals are more equal than others. — George Orwell
  Call me Ishmael. — Herman Melville
  I think, therefore I am. — René Descartes
  I have nothing to declare except my genius. — Oscar Wilde
  The unexamined life is not worth living. — Socrates
  Hell is other people. — Jean-Paul Sartre
  One must imagine Sisyphus happy. — Albert Camus
  If you want to build a ship, teach people to long for the sea. — attributed to Saint-Exupéry
  Man is born free, and everywhere he is in chains. — Jean-Jacques Rousseau
  Obey the principles without being bound by them. — attributed to Bruce Lee
  Any fool can make a rule, and any fool will mind it. — Henry David Thoreau
  If you obey all the rules, you miss all the fun. — Katharine Hepburn
  Hope is the thing with feathers that perches in the soul. — Emily Dickinson
  I contain multitudes. — Walt Whitman
  The only way to get rid of a temptation is to yield to it. — Oscar Wilde
  We are all in the gutter, but some of us are looking at the stars. — Oscar Wilde
  You can't depend on your eyes when your imagination is out of focus. — Mark Twain
  Life must be understood backwards, but it must be lived forwards. — Søren Kierkegaard
  Be kind whenever possible.
  Do one thing every day that scares you, said Eleanor, and went back to the dentist.
  Fall seven times, stand up eight. — Japanese proverb
  A journey of a thousand miles begins with a single step. — Lao Tzu
  The best time to plant a tree was twenty years ago. The second best time is now.
  If you want to go fast, go alone; if you want to go far, go together. — African proverb
  Trust in God, but tie your camel.
  Do not push the river; it flows by itself.
  Even monkeys fall from trees.
  Not my circus, not my monkeys. — Polish proverb
  The nail that sticks out gets hammered down.
  When the cat's away, the mice will play.
  Speak softly and carry a big stick. — Theodore Roosevelt
  Ask me no questions and I'll tell you no lies.
  Don't bite the hand that feeds you.
  Don't judge a book by its cover.
  Don't put all your eggs in one basket.
  Don't cry over spilt milk.
  Don't throw the baby out with the bathwater.
  Don't shoot the messenger.
  Don't rock the boat.
  Let sleeping dogs lie.
  Let bygones be bygones.
  Pretend to be brave and nobody will notice the difference.
  Act as if what you do makes a difference. It does. — William James
  Act your age, not your shoe size.
  Pretend you didn't see that.
  Speak of the devil and he shall appear.
  You can't have your cake and eat it.
  You can't teach an old dog new tricks.
  You reap what you sow.
  You scratch my back and I'll scratch yours.
  You are only young once, but you can be immature forever.
  You are the company you keep.
  You will never know until you try.
  You shall not pass, said the crossing guard, and lowered the barrier.
  You should never meet your heroes, nor lend them money.
  You don't have to be crazy to work here. We'll train you.
  You know you are getting old when the candles cost more than the cake.
  You had one job.
  Everything is permitted that is not forbidden, except in our street, where it is the other way round.
  Nothing is forbidden on holiday except checking your mail.
  Freedom is the right to tell people what they do not want to hear.
  No rules, no winners, no referee: that was how we played behind the garages.
  Without rules there is no game; without exceptions there is no fun.
  Censorship is the tribute that ignorance pays to wit.
  Power tends to corrupt, and absolute power corrupts absolutely. — Lord Acton
  The law is a net: small fish are caught and big fish swim around it.
  Necessity knows no law.
  Laws are like sausages: it is better not to see them being made.
  Evil twin walks into a bar. The good twin pays.
  I am not lazy, I am in energy-saving mode.
  Airplane mode should make my phone fly.
  I turned on developer mode on my TV and now it only shows curling.
  Grandma switched the oven to expert mode and we ate at eleven.
  My evil plan for the weekend: nap, pizza, nap.
  Villain of the week: the neighbour with the leaf blower.
`)
