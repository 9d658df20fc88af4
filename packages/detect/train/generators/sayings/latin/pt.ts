import { lines } from '../../harmless/draw.ts'

/** Sayings, jokes, notices and notes. */
export const pt: readonly string[] = lines(`
  Quem não tem cão caça com gato.
  Água mole em pedra dura, tanto bate até que fura.
  Toda regra tem exceção.
  Deus ajuda quem cedo madruga, e quem não madruga toma café.
  De grão em grão, a galinha enche o papo.
  Nunca esqueça de onde você veio nem onde estacionou.
  Você só precisa querer, disse o treinador, e voltou a sentar.
  Programador de verdade conta a partir do zero.
  Minha senha é "incorreta"; assim o computador me lembra quando erro.
  Na minha máquina funciona, disse ele, e saiu de férias.
  — Garçom, tem uma mosca na minha sopa! — Fale baixo, senão todos vão querer.
  — Joãozinho, diga dois pronomes. — Quem, eu?
  O que o zero disse para o oito? Que cinto bonito!
  — A partir de hoje quem manda é você — disse o avô, entregando a pinça do churrasco.
  — Ignora ele — sussurrou a Ana. — Ele pensa que é o rei de Espanha.
  — Não conta para a tua mãe — disse o tio, e abriu outra caixa de bombons.
  É proibido debruçar-se na janela.
  Não pise na grama.
  Cuidado com o cão. O gato também não é de confiança.
  Em caso de incêndio, não use o elevador.
  Entrada proibida a pessoas estranhas ao serviço.
  Vendo piano, único dono, 150 euros, retirada no local.
  Perdeu-se gato cinzento, responde por Farofa, ignora todo o resto.
  Aulas de matemática para o ensino médio, terças e quintas.
  Amanhã, céu nublado no norte e pancadas de chuva à tarde, máxima de 24 graus.
  Ressaca no litoral até sexta-feira; ondas de até três metros.
  O time da casa venceu por 2 a 1 com gol nos acréscimos.
  Câmara aprova ciclovia apesar dos protestos
  Aposentado segue o GPS e acaba no lago
  Livro devolvido à biblioteca com 62 anos de atraso
  Novo: mais espuma, menos esforço.
  Esqueça o ferro de passar: a camisa que lembra a própria forma.
  Querido diário, hoje ignorei três despertadores e uma consciência.
  Primeiro dia de trabalho e já chamei a chefe de mãe 😅
  Para quem roubou minha bicicleta: ela não tem freio. Boa sorte.
  Prezada senhora, obrigado pela carta de 3 de maio e pelas ameixas.
  Tudo vale a pena se a alma não é pequena. — Fernando Pessoa
  Amor é fogo que arde sem se ver. — Luís de Camões
  Ao vencedor, as batatas. — Machado de Assis
  Lei de Murphy: se algo pode dar errado, dará.
  O pão cai sempre com a manteiga para baixo.
  Regra número um: começa o mais novo. Regra número dois: a avó ganha.
  Regulamento do condomínio: nada de piano depois das 22 horas.
  Segredo: aquilo que todos sabem no escritório e ninguém diz na reunião.
  Atirei o pau no gato, mas o gato não morreu.
  O capitão mandou calar; o papagaio não obedeceu.
  Fez de fantasma durante vinte e dois anos e nunca disse o próprio nome.
`)
