//! Links that are to be made: where they would lead.
//!
//! Promises that a new link leads to no place outside the root and to none that the policy closes: by its spelling,
//! and through whatever stands on the way now. What becomes of the way later is the guard's business, as for any link.

use crate::gather::{Gather, permit};
use crate::trouble::unresolved;
use crate::workspace::Workspace;
use patchwright_core::outcome::Trouble;
use patchwright_core::path::{PathProblem, RelPath};
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::warning::Warning;
use patchwright_store::disk::Halt;
use patchwright_store::real::{Leaf, Resolved, Unresolved};

impl Workspace {
    /// Checks the target of a link. What to tell if nothing is there.
    pub(crate) fn check_link(
        &self,
        gather: &Gather<'_>,
        link: &RelPath,
        target: &str,
    ) -> Result<Option<Warning>, Trouble> {
        let folder = gather.real(link).parent();
        let refused = |relative| Refusal::at(link, Why::LinkTarget { target: target.to_owned(), relative });
        if target.is_empty() {
            return Err(Refusal::at(link, Why::Path(PathProblem::Empty)).into());
        }
        if target.starts_with('/') {
            let inside = RelPath::parse(target, &self.disk.roots()).ok();
            return Err(refused(inside.map(|to| relative(&folder, &to))).into());
        }
        let spelt =
            RelPath::parse(&format!("./{}/{target}", folder.as_str()), &[]).map_err(|problem| match problem {
                PathProblem::Outside => refused(None),
                other => Refusal::about(target, Why::Path(other)),
            })?;
        if let Some(problem) = spelt.name_problem() {
            return Err(Refusal::about(target, Why::Name(problem)).into());
        }
        self.permit_target(link, &spelt)?;
        let mut nowhere = false;
        // A folder that is yet to be made has no links in it: there the spelling tells all.
        for found in [self.disk.resolve(&spelt), self.disk.leads_to(&folder, target)] {
            match found {
                Ok(Resolved { real, leaf, .. }) => {
                    nowhere |= !matches!(leaf, Leaf::There(_));
                    self.permit_target(link, &real)?;
                }
                // The link's own folder is yet to be made.
                Err(Unresolved::NoFolder(first)) if folder.is_within(&first) => {}
                Err(Unresolved::NoFolder(_) | Unresolved::NotFolder(_)) => nowhere = true,
                Err(Unresolved::Halt(Halt::Escape)) => return Err(refused(None).into()),
                Err(other) => return Err(unresolved(link, other)),
            }
        }
        let (path, target) = (link.to_string(), target.to_owned());
        Ok(nowhere.then_some(Warning::LinkLeadsNowhere { path, target }))
    }

    /// Whoever reads or writes through the link reads and writes there.
    fn permit_target(&self, link: &RelPath, target: &RelPath) -> Result<(), Trouble> {
        permit(&self.policy, target, Access::Read, Some(link))?;
        permit(&self.policy, target, Access::Write, Some(link))
    }
}

/// The way from a folder to a path.
fn relative(folder: &RelPath, to: &RelPath) -> String {
    let shared = folder.segments().zip(to.segments()).take_while(|(one, two)| one == two).count();
    let up = folder.segments().skip(shared).map(|_| "..");
    let way: Vec<&str> = up.chain(to.segments().skip(shared)).collect();
    if way.is_empty() { ".".to_owned() } else { way.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways() {
        let path = |text: &str| RelPath::parse(text, &[]).unwrap();
        let check = |folder: &str, to: &str, want: &str| {
            assert_eq!(relative(&path(folder), &path(to)), want, "{folder} {to}");
        };
        check(".", "a/b", "a/b");
        check("a", "a/b", "b");
        check("a/c", "a/b", "../b");
        check("a/c/d", "b", "../../../b");
        check("a", "a", ".");
        check("a/b", ".", "../..");
    }
}
