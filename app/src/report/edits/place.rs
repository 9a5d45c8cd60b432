//! Where an operation goes: the argument to blame, and the call that names a line by its anchor.

use super::super::ready::Mend;
use super::super::telling::Telling;
use patchwright_core::anchor::{Form, Quality};
use patchwright_core::refusal::{Candidate, OperationFault, OperationField};

/// The argument to blame, as the caller finds it.
pub(super) fn place(fault: &OperationFault) -> String {
    let OperationFault { index, field, anchor, .. } = fault;
    match *field {
        OperationField::Op => format!("operations[{index}]"),
        OperationField::Was => format!("operations[{index}].was"),
        field => format!("operations[{index}].{} {anchor:?}", field.name()),
    }
}

/// The same call with the operation's first line named by this anchor, if that is short enough to be said.
pub(super) fn by_anchor(fault: &OperationFault, line: &Candidate, tell: &Telling<'_>) -> Option<String> {
    let at = |field: &str| format!("operations[{}].{field}", fault.index);
    let is_one_line = tell.given(&at(OperationField::Hash.name())).is_some();
    let field = if is_one_line { OperationField::Hash } else { OperationField::StartHash };
    let mut mends = vec![Mend::set(at(field.name()), line.shown.to_string())];
    // These were about the line that was named.
    mends.extend(["line", "occurrence"].map(at).into_iter().filter(|at| tell.given(at).is_some()).map(Mend::Out));
    // A weak line is named only by its place among its equals.
    let placed = matches!(line.shown.form, Form::Place { .. });
    if field == OperationField::Hash && line.shown.quality == Quality::Low && !placed {
        mends.push(Mend::set(at("occurrence"), 1));
    }
    tell.whole(&mends).map(|call| format!("call {call}"))
}
