// Notes that are about nearly the same, for one among them to be found.

/** A note about purchasing, its costs or its haste, each in a way of its own. */
export function otherNote(i: number): string {
  const subjects = ['調達計画', '緊急会議', '輸送コスト', '在庫', '見積', '仕入先', '契約', '検収', '発注', '予算']
  const predicates = ['は来月に見直す', 'を担当者に確認した', 'の資料は共有済み', 'が遅れている', 'を部長が承認した']
  const english = ['Costs of travel', 'The emergency exit', 'Procurement training', 'Office supplies', 'The audit']
  return i % 3 === 0
    ? `${english[i % 5]} for team ${i} were discussed`
    : `${subjects[i % 10]}${predicates[i % 5]}（第${i}回）`
}
