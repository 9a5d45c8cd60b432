//! Links that are made, moved or brought back: where they lead from the place that they get.
//!
//! Promises that a link leads to no place outside the root and to none that the policy closes: by its spelling, and
//! through whatever stands on the way now. A new link climbs only at the start of its target, so that no link made
//! later can turn it outside. What the user has is left to them: a link may come back to where it stood, and may move
//! to where it leads to the same place as before. What other programs make of the way later is the guard's business.

use crate::gather::{Gather, permit_change};
use crate::session::Session;
use crate::trouble::unresolved;
use crate::turn::Turn;
use patchwright_core::digest::Digest;
use patchwright_core::link::{Lead, climbs_after_a_name, relative};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::{PathProblem, RelPath};
use patchwright_core::plan::{Act, Fresh, Plan, Snapshot, Step};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_core::warning::Warning;
use patchwright_store::disk::Halt;
use patchwright_store::real::{Leaf, Means, Resolved, Unresolved};
use patchwright_store::records::FileRecord;
use std::collections::HashMap;

/// A link that a plan puts somewhere.
struct Placed {
    /// Where it stood until then, if it moves.
    from: Option<RelPath>,
    to: RelPath,
    target: String,
    digest: Digest,
}

/// What stands where a link leads.
enum Found {
    Something,
    Nothing,
}

impl Session {
    /// Checks the target of a link that is to be made. What to tell if nothing is there.
    pub(crate) fn check_link(
        &self,
        gather: &Gather<'_>,
        link: &RelPath,
        target: &str,
    ) -> Result<Option<Warning>, Trouble> {
        let folder = gather.real(link).parent();
        let refused = |relative| Refusal::at(link, Why::LinkTarget { target: target.to_owned(), relative });
        let spelt = match Lead::of(&folder, target) {
            Lead::Inside(spelt) => spelt,
            Lead::Above { .. } => return Err(refused(None).into()),
            Lead::Absolute => {
                let inside = RelPath::parse(target, &self.workspace.disk.roots()).ok();
                return Err(refused(inside.map(|to| relative(&folder, &to))).into());
            }
            Lead::Malformed(PathProblem::Empty) => {
                return Err(Refusal::at(link, Why::Path(PathProblem::Empty)).into());
            }
            Lead::Malformed(problem) => return Err(Refusal::about(target, Why::Path(problem)).into()),
        };
        if let Some(problem) = spelt.name_problem() {
            return Err(Refusal::about(target, Why::Name(problem)).into());
        }
        self.permit_target(link, &spelt).map_err(|why| way_refused(link, why, &refused))?;
        if climbs_after_a_name(target) {
            let really = self.workspace.disk.leads_to(&folder, target).map_or(spelt, |found| found.real);
            return Err(refused(Some(relative(&folder, &really))).into());
        }
        let found = self.check_way(link, &folder, target, &spelt);
        match found.map_err(|why| way_refused(link, why, &refused))? {
            Found::Something => Ok(None),
            Found::Nothing => Ok(Some(Warning::LinkLeadsNowhere { path: link.to_string(), target: target.to_owned() })),
        }
    }

    /// Checks every link that a plan moves or brings back.
    pub(crate) fn check_links(&self, held: &mut Turn<'_>, plan: &Plan, snapshot: &Snapshot) -> Result<(), Trouble> {
        let links: HashMap<&RelPath, &[u8]> = snapshot.links().collect();
        for step in &plan.steps {
            let Some(placed) = placed(step, &links) else { continue };
            if let Err(trouble) = self.check_placed(&placed)
                && !self.stood(held, &placed)?
            {
                return Err(trouble);
            }
        }
        Ok(())
    }

    fn check_placed(&self, placed: &Placed) -> Result<(), Trouble> {
        let Placed { from, to, target, .. } = placed;
        let folder = to.parent();
        let lead = Lead::of(&folder, target);
        let before = from.as_ref().map(|from| Lead::of(&from.parent(), target));
        let refused = |_| placed.refused(before.as_ref());
        match &lead {
            // It leads there from everywhere, or nowhere.
            Lead::Absolute | Lead::Malformed(_) => Ok(()),
            lead if before.as_ref() == Some(lead) => Ok(()),
            Lead::Above { .. } => Err(refused(None).into()),
            Lead::Inside(spelt) => match self.check_way(to, &folder, target, spelt) {
                Ok(_) => Ok(()),
                Err(why @ (Way::Closed(_) | Way::Out)) => Err(way_refused(to, why, &refused)),
                // Nobody gets through there.
                Err(Way::Blocked(_)) => Ok(()),
            },
        }
    }

    /// Is it on record that this very link stood in this very place? Then bringing it back changes nothing for it.
    fn stood(&self, held: &mut Turn<'_>, placed: &Placed) -> Result<bool, Trouble> {
        let Placed { to, digest, .. } = placed;
        let stood = |file: &FileRecord| {
            file.link
                && (file.path == *to && file.before == Some(*digest)
                    || file.to.as_ref() == Some(to) && file.after == Some(*digest))
        };
        self.past_of(held)?.any_record(to, &stood)
    }

    /// Follows the way of a link that stays inside by its spelling.
    fn check_way(&self, link: &RelPath, folder: &RelPath, target: &str, spelt: &RelPath) -> Result<Found, Way> {
        self.permit_target(link, spelt)?;
        let mut found = Found::Something;
        // Where no link is followed, the spelling tells all.
        let followed =
            (self.workspace.disk.means() == Means::Best).then(|| self.workspace.disk.leads_to(folder, target));
        for way in [Some(self.workspace.disk.resolve(spelt)), followed].into_iter().flatten() {
            match way {
                Ok(Resolved { real, leaf, .. }) => {
                    if !matches!(leaf, Leaf::There(_)) {
                        found = Found::Nothing;
                    }
                    self.permit_target(link, &real)?;
                }
                // The link's own folder is yet to be made.
                Err(Unresolved::NoFolder(first)) if folder.is_within(&first) => {}
                Err(Unresolved::NoFolder(_) | Unresolved::NotFolder(_)) => found = Found::Nothing,
                Err(Unresolved::Halt(Halt::Escape)) => return Err(Way::Out),
                Err(other) => return Err(Way::Blocked(other)),
            }
        }
        Ok(found)
    }

    /// Whoever reads or writes through the link reads and writes there.
    fn permit_target(&self, link: &RelPath, target: &RelPath) -> Result<(), Way> {
        permit_change(&self.workspace.policy, target, Some(link)).map_err(Way::Closed)
    }
}

/// The link that a step puts somewhere, if it is one.
fn placed(step: &Step, links: &HashMap<&RelPath, &[u8]>) -> Option<Placed> {
    let (from, to, target) = match &step.act {
        Act::Rename { to, .. } => (Some(step.path.clone()), to, links.get(&step.path)?.to_vec()),
        Act::Create(Fresh::Link { target, .. }) => (None, &step.path, target.to_vec()),
        Act::Create(Fresh::Kept(kept)) => (None, &step.path, kept.target.as_ref()?.to_vec()),
        _ => return None,
    };
    let (digest, text) = (Digest::of(&target), String::from_utf8_lossy(&target).into_owned());
    Some(Placed { from, to: to.clone(), target: text, digest })
}

/// Why a link may not lead where it leads.
enum Way {
    /// The policy closes it.
    Closed(Trouble),
    /// Something on the way leads out of the root.
    Out,
    /// Something else stands in the way.
    Blocked(Unresolved),
}

fn way_refused(link: &RelPath, why: Way, refused: &dyn Fn(Option<String>) -> Refusal) -> Trouble {
    match why {
        Way::Closed(trouble) => trouble,
        Way::Out => refused(None).into(),
        Way::Blocked(other) => unresolved(link, other),
    }
}

impl Placed {
    /// With the target that would lead from the new place to where it leads now.
    fn refused(&self, before: Option<&Lead>) -> Refusal {
        let relative = match before {
            Some(Lead::Inside(now)) => Some(relative(&self.to.parent(), now)),
            _ => None,
        };
        let why = Why::LinkMoved { to: self.to.to_string(), target: self.target.clone(), relative };
        Refusal::at(self.from.as_ref().unwrap_or(&self.to), why)
    }
}
