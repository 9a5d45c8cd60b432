//! MessagePack as indented text, one value a line.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

enum Tree {
    Leaf(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

pub(crate) fn listing(bytes: &[u8]) -> String {
    let tree: Tree = rmp_serde::from_slice(bytes).unwrap();
    let mut out = String::new();
    tree.write("", 0, &mut out);
    out
}

impl Tree {
    fn write(&self, name: &str, depth: usize, out: &mut String) {
        let (indent, deeper) = ("  ".repeat(depth), depth + 1);
        match self {
            Tree::Leaf(leaf) => out.push_str(&format!("{indent}{name}{leaf}\n")),
            Tree::List(list) => {
                out.push_str(&format!("{indent}{name}list of {}\n", list.len()));
                list.iter().for_each(|item| item.write("- ", deeper, out));
            }
            Tree::Map(map) => {
                out.push_str(&format!("{indent}{name}map of {}\n", map.len()));
                map.iter().for_each(|(key, value)| value.write(&format!("{key}: "), deeper, out));
            }
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Tree, D::Error> {
        from.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Leaf(format!("{value}")))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Leaf(format!("{value}")))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Leaf(format!("{value}")))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Leaf(format!("{value:?}")))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Tree, E> {
        let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Tree::Leaf(format!("0x{hex}")))
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Leaf("nil".to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = seq.next_element()? {
            list.push(item);
        }
        Ok(Tree::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Tree, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = from.next_entry()? {
            map.push(entry);
        }
        Ok(Tree::Map(map))
    }
}
